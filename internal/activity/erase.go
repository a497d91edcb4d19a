package activity

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/activity/tally"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/upstash"
)

// Erase removes every act that a player is part of from all stored days, and the player from
// boards and streaks. What these acts were worth to others is lost too: their boards are
// computed again. It may be repeated.
//
// Cost: 1 billed command for each day that lives, 3, and for each group's day on which the
// player may have been active 5 and 1 for each board; if there are streams 1, and 1 for each
// dead letter that names the player. In a game without activity, on a nil Activity, it does
// nothing.
func (a *Activity) Erase(ctx context.Context, player string) error {
	if a == nil {
		return nil
	}
	e := erasing{a, player}
	days, err := e.mayKnow(ctx)
	if err != nil {
		return rdb.Wrap("look when "+player+" was active", err)
	}
	for _, day := range days {
		if err := e.take(ctx, day, days); err != nil {
			return rdb.Wrap("erase the acts of "+player, err)
		}
	}
	return rdb.Wrap("erase dead letters of "+player, e.takeLetters(ctx))
}

// erasing is the erasure of one player from all acts.
type erasing struct {
	*Activity
	player string
}

// takeLetters removes the dead letters that name the player.
func (e erasing) takeLetters(ctx context.Context) error {
	if len(e.rules.Streams) == 0 {
		return nil
	}
	reply, err := e.DB.Redis.Do(ctx, upstash.Cmd("LRANGE", game.DeadActsKey, "0", "-1"))
	if err != nil {
		return err
	}
	letters, err := reply.Strings()
	if err != nil {
		return err
	}
	var p rdb.Pipeline
	for _, letter := range letters {
		if names(letter, e.player) {
			p.Add(upstash.Cmd("LREM", game.DeadActsKey, "0", letter).Idempotent(), nil)
		}
	}
	_, err = p.Run(ctx, e.DB.Redis)
	return err
}

// names reports whether a field of a dead letter is the player, or a list that contains the
// player.
func names(letter, player string) bool {
	var read deadLetter
	if json.Unmarshal([]byte(letter), &read) != nil {
		return true // the letter may name anybody
	}
	for _, value := range read.Fields {
		if slices.Contains(usersOf(value), player) {
			return true
		}
	}
	return false
}

// mayKnow lists the groups' days on which the player may have acts: all groups on the dates
// on which the player was active, and the due days.
func (e erasing) mayKnow(ctx context.Context) ([]groupDay, error) {
	due, err := e.due(ctx)
	if err != nil {
		return nil, err
	}
	dates := e.living()
	active := make([]rdb.Place, len(dates))
	var p rdb.Pipeline
	for i, d := range dates {
		p.Add(upstash.Cmd("ZSCORE", game.ActiveKey(d), e.player), rdb.ScoreInto(&active[i]))
	}
	if _, err := p.Run(ctx, e.DB.Redis); err != nil {
		return nil, err
	}
	days := map[groupDay]bool{}
	for day := range due.days {
		days[day] = true
	}
	at := slices.IndexFunc(e.modes, func(m *game.Mode) bool { return m.HasScope(game.Group) })
	if at >= 0 && slices.ContainsFunc(active, func(p rdb.Place) bool { return p.Found }) {
		_, groups, err := e.Rollup.Calendar.Indexes(ctx, e.modes[at])
		if err != nil {
			return nil, err
		}
		for scope, index := range groups {
			for i, d := range dates {
				if active[i].Found && index.Has(d) {
					days[groupDay{scope.ID(), d}] = true
				}
			}
		}
	}
	all := make([]groupDay, 0, len(days))
	for day := range days {
		all = append(all, day)
	}
	slices.SortFunc(all, groupDay.compare)
	return all, nil
}

// living are the dates whose acts may be stored.
func (e erasing) living() (dates []game.Date) {
	for d := game.DateOf(e.DB.Now()).AddDays(1); e.DB.Alive(d); d = d.AddDays(-1) {
		dates = append(dates, d)
	}
	return dates
}

// part is the player's part in a group's day.
type part struct {
	acts     []string        // acts with the player, as they are stored
	met      map[string]bool // the players in these acts, the player included
	vanished []string        // those of them who are in no other act of the day
}

func (e erasing) part(ctx context.Context, day groupDay) (p part, err error) {
	p.met = map[string]bool{}
	stay := map[string]bool{}
	err = e.DB.EachMember(ctx, day.key(), func(members []rdb.Member) error {
		for _, m := range members {
			act, err := tally.Read(m.Player, 0)
			if err != nil {
				continue
			}
			in := stay
			if slices.Contains(act.Who, e.player) {
				p.acts, in = append(p.acts, m.Player), p.met
			}
			for _, player := range act.Who {
				in[player] = true
			}
		}
		return nil
	})
	for player := range p.met {
		if !stay[player] {
			p.vanished = append(p.vanished, player)
		}
	}
	return p, err
}

// take removes the player's acts from a day, in three steps. It removes the acts first. Then
// it removes the marks of the day, so that a compute that has read these acts writes nothing
// any more. Only then does it clean the boards, which such a compute may have written before.
// The others in these acts may now have their home in another group or in none, and another
// streak on the day after; so all groups' days of both dates are marked as due.
func (e erasing) take(ctx context.Context, day groupDay, days []groupDay) error {
	part, err := e.part(ctx, day)
	if err != nil || len(part.acts) == 0 {
		return err
	}
	remove := upstash.Cmd(append([]string{"ZREM", day.key()}, part.acts...)...).Idempotent()
	if _, err := e.DB.Redis.Do(ctx, remove); err != nil {
		return err
	}
	due, err := e.due(ctx)
	if err != nil {
		return err
	}
	places, _, err := writing{e.Activity}.places(day)
	if err != nil {
		return err
	}
	behind := []groupDay{}
	homes := []string{"HDEL", game.HomesKey(day.date)}
	for _, other := range days {
		if other.date == day.date {
			behind = append(behind, other, groupDay{other.group, day.date.AddDays(1)})
			homes = append(homes, game.HomePrints(other.group))
		}
	}
	var p rdb.Pipeline
	p.Add(e.leaveWord(behind), nil) // first, so that the day is never without a mark
	if word := due.days[day]; len(word) > 0 {
		p.Add(upstash.Cmd(append([]string{"SREM", game.ActsDueKey}, word...)...).Idempotent(), nil)
	}
	p.Add(upstash.Cmd(slices.AppendSeq(homes, maps.Keys(part.met))...).Idempotent(), nil)
	leave := func(key string) {
		p.Add(upstash.Cmd(append([]string{"ZREM", key}, part.vanished...)...).Idempotent(), nil)
	}
	leave(game.ActiveKey(day.date))
	for _, at := range places {
		leave(at.board.Key)
	}
	writing{e.Activity}.reopen(&p, day.date)
	if _, err := p.Run(ctx, e.DB.Redis); err != nil {
		return err
	}
	writing{e.Activity}.forget(places, part.vanished)
	return nil
}
