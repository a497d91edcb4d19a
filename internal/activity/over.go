package activity

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// overWord is word that a day's write leaves where anything follows from the day once
// it is over: places on its boards, and streaks that it is in.
func (r *run) overWord(day groupDay) string {
	follows := func(rule game.BadgeRule) bool {
		return rule.Fact == game.OfStreak || rule.Fact == game.OfRank && rule.Period == game.Day && rule.Scope == game.Group
	}
	if r.tell == nil || !slices.ContainsFunc(r.DB.Game.Badges, follows) {
		return ""
	}
	return game.ActsOver(day.group, day.date)
}

// finish tells of days that are over. Word of one stays until it was told of: what a
// run that is cut off leaves, the next one does.
func (r *run) finish(ctx context.Context, days []groupDay) error {
	if r.tell == nil {
		return nil
	}
	for _, day := range days {
		if r.overWord(day) == "" || !r.over(day) {
			continue
		}
		if err := r.tell(ctx, day.group, day.date); err != nil {
			return rdb.Wrap("finish "+day.date.String()+" of "+day.group, err)
		}
		if err := r.drop(ctx, []string{game.ActsOver(day.group, day.date)}); err != nil {
			return rdb.Wrap("finish "+day.date.String()+" of "+day.group, err)
		}
	}
	return nil
}

// Streaks are those of at least so many days in a row that a date is in, of players whose
// date it is in the group.
//
// Cost: 1 billed command, and 1 where there are any.
func (k Keeping) Streaks(ctx context.Context, group string, d game.Date, least int64) (map[string]int64, error) {
	var long []rdb.Member
	var p rdb.Pipeline
	p.Add(upstash.Cmd("ZRANGEBYSCORE", game.ActiveKey(d), rdb.Itoa(least), "+inf", "WITHSCORES"), rdb.MembersInto(&long))
	if _, err := p.Run(ctx, k.DB.Redis); err != nil || len(long) == 0 {
		return nil, err
	}
	ask := []string{"HMGET", game.HomesKey(d)}
	for _, m := range long {
		ask = append(ask, m.Player)
	}
	reply, err := k.DB.Redis.Do(ctx, upstash.Cmd(ask...))
	if err != nil {
		return nil, err
	}
	homes, err := reply.Array()
	if err != nil {
		return nil, err
	}
	if len(homes) != len(long) {
		return nil, rdb.WrongShape("one home for each player", len(homes))
	}
	streaks := map[string]int64{}
	for i, home := range homes {
		if home.IsNil() {
			continue
		}
		text, err := home.Text()
		if err != nil {
			return nil, err
		}
		if game.HomeGroup(text) == group {
			streaks[long[i].Player] = int64(long[i].Stored)
		}
	}
	return streaks, nil
}
