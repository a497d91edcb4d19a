package activity

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// overWord is the mark that a write leaves if a day has consequences once it is over: badges
// for places on its boards, or for streaks.
func (r *run) overWord(day groupDay) string {
	if r.tell == nil {
		return ""
	}
	return ActsOver(day.group, day.date)
}

// finish reports days that are over. The mark of a day stays until the day was reported, so
// that the next run continues an interrupted one.
func (r *run) finish(ctx context.Context, days []groupDay) error {
	if r.tell == nil {
		return nil
	}
	for _, day := range days {
		if r.overWord(day) == "" || !r.over(day) {
			continue
		}
		if err := r.tell(ctx, day.group, day.date); err != nil {
			return redis.Wrap("finish "+day.date.String()+" of "+day.group, err)
		}
		if err := r.drop(ctx, []string{ActsOver(day.group, day.date)}); err != nil {
			return redis.Wrap("finish "+day.date.String()+" of "+day.group, err)
		}
	}
	return nil
}

// LongStreaks are the streaks of at least least days up to a date, of players whose home on
// the date is the group.
//
// Cost: 1 billed command for every 10,000 players with such a streak, and 1 if there are any.
func (a *Activity) LongStreaks(ctx context.Context, group string, d game.Date, least int64) (map[string]int64, error) {
	streaks := map[string]int64{}
	for offset := int64(0); ; offset += redis.WritePage {
		var long []redis.Member
		var p redis.Pipeline
		p.Add(upstash.Cmd("ZRANGEBYSCORE", ActiveKey(d), redis.Itoa(least), "+inf", "WITHSCORES", "LIMIT", redis.Itoa(offset), redis.Itoa(redis.WritePage)), redis.MembersInto(&long))
		if _, err := p.Run(ctx, a.DB.Redis); err != nil {
			return nil, err
		}
		if len(long) > 0 {
			homes, err := a.homesOf(ctx, d, long)
			if err != nil {
				return nil, err
			}
			for i, m := range long {
				if homes[i] == group {
					streaks[m.Player] = int64(m.Stored)
				}
			}
		}
		if len(long) < redis.WritePage {
			return streaks, nil
		}
	}
}

// homesOf reads the home group of players on a date; "" for none.
func (a *Activity) homesOf(ctx context.Context, d game.Date, players []redis.Member) ([]string, error) {
	ask := []string{"HMGET", game.HomesKey(d)}
	for _, m := range players {
		ask = append(ask, m.Player)
	}
	reply, err := a.DB.Redis.Do(ctx, upstash.Cmd(ask...))
	if err != nil {
		return nil, err
	}
	groups, err := redis.Texts(reply, len(players), "one home for each player")
	if err != nil {
		return nil, err
	}
	for i, home := range groups {
		groups[i] = HomeGroup(home)
	}
	return groups, nil
}
