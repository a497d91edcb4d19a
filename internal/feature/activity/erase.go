package activity

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Erase removes every act that a player is part of from all stored days, and the player from
// boards and streaks. What these acts were worth to others is lost too: their boards are
// computed again. It may be repeated.
//
// Cost: 1 billed command for each day that lives, 3, and for each group's day of the dates on
// which the player was active 5 and 1 for each board; if there are streams 1, and 1 for each
// dead letter that names the player. In a game without activity, on a nil Activity, it does
// nothing.
func (a *Activity) Erase(ctx context.Context, player string) error {
	if a == nil {
		return nil
	}
	e := erasing{a, player}
	have, err := e.look(ctx)
	if err != nil {
		return redis.Wrap("look when "+player+" was active", err)
	}
	for _, day := range have.days {
		if err := e.take(ctx, day, have.all); err != nil {
			return redis.Wrap("erase the acts of "+player, err)
		}
	}
	var p redis.Pipeline
	for _, d := range have.active { // what is left where no act was
		p.Add(upstash.Cmd("ZREM", ActiveKey(d), player).Idempotent(), nil)
	}
	if _, err := p.Run(ctx, a.DB.Redis); err != nil {
		return redis.Wrap("erase the streaks of "+player, err)
	}
	return redis.Wrap("erase dead letters of "+player, e.takeLetters(ctx))
}

// Knows reports whether there is something of a player that no compute has read: acts of days
// that are due, and dead letters. Everything else has the player in [game.ActiveKey].
//
// Cost: 1 billed command, and 1 for each group's day that is due; if there are streams 1. None
// in a game without activity, on a nil Activity.
func (a *Activity) Knows(ctx context.Context, player string) (bool, error) {
	if a == nil {
		return false, nil
	}
	e := erasing{a, player}
	due, err := e.readDue(ctx)
	if err != nil {
		return false, redis.Wrap("look which days are due", err)
	}
	for day := range due.days {
		if part, err := e.part(ctx, day); err != nil || len(part.acts) > 0 {
			return len(part.acts) > 0, redis.Wrap("look for acts of "+player, err)
		}
	}
	letters, err := e.letters(ctx)
	return len(letters) > 0, redis.Wrap("look for dead letters of "+player, err)
}

// erasing is the erasure of one player from all acts.
type erasing struct {
	*Activity
	player string
}

// takeLetters removes the dead letters that name the player.
func (e erasing) takeLetters(ctx context.Context) error {
	letters, err := e.letters(ctx)
	if err != nil {
		return err
	}
	var p redis.Pipeline
	for _, letter := range letters {
		p.Add(upstash.Cmd("LREM", DeadActsKey, "0", letter).Idempotent(), nil)
	}
	_, err = p.Run(ctx, e.DB.Redis)
	return err
}

// letters are the dead letters that name the player.
func (e erasing) letters(ctx context.Context) ([]string, error) {
	if len(e.rules.Streams) == 0 {
		return nil, nil
	}
	reply, err := e.DB.Redis.Do(ctx, upstash.Cmd("LRANGE", DeadActsKey, "0", "-1"))
	if err != nil {
		return nil, err
	}
	letters, err := reply.Strings()
	return slices.DeleteFunc(letters, func(letter string) bool { return !names(letter, e.player) }), err
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

// trace is where acts of a player may be.
type trace struct {
	days   []groupDay // all groups' days of the dates on which the player was active, and the due days
	all    []groupDay // all groups' days
	active []game.Date
}

// look finds where acts of the player may be. A write of acts marks their day as due and
// enters it into the index of days with acts; the compute that takes the mark away notes all
// players of the day among those who were active.
func (e erasing) look(ctx context.Context) (have trace, err error) {
	due, err := e.readDue(ctx)
	if err != nil {
		return have, err
	}
	dates := e.living()
	active := make([]redis.Place, len(dates))
	var p redis.Pipeline
	for i, d := range dates {
		p.Add(upstash.Cmd("ZSCORE", ActiveKey(d), e.player), redis.ScoreInto(&active[i]))
	}
	if _, err := p.Run(ctx, e.DB.Redis); err != nil {
		return have, err
	}
	for i, d := range dates {
		if active[i].Found {
			have.active = append(have.active, d)
		}
	}
	all := map[groupDay]bool{}
	for _, day := range due.stored {
		all[day] = true
	}
	if err := e.older(ctx, have.active, all); err != nil {
		return have, err
	}
	for day := range due.days {
		all[day] = true
	}
	have.all = slices.SortedFunc(maps.Keys(all), groupDay.compare)
	for _, day := range have.all {
		if len(due.days[day]) > 0 || slices.Contains(have.active, day.date) {
			have.days = append(have.days, day)
		}
	}
	return have, nil
}

// older adds days with acts that versions without the index have written, as far as groups have
// boards.
func (e erasing) older(ctx context.Context, dates []game.Date, all map[groupDay]bool) error {
	at := slices.IndexFunc(e.modes, func(m *game.Mode) bool { return m.HasScope(game.Group) })
	if at < 0 || len(dates) == 0 {
		return nil
	}
	_, groups, err := e.Rollup.Calendar.Indexes(ctx, e.modes[at])
	for scope, index := range groups {
		for _, d := range dates {
			if index.Has(d) {
				all[groupDay{scope.ID(), d}] = true
			}
		}
	}
	return err
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
	err = e.DB.EachMember(ctx, day.key(), func(members []redis.Member) error {
		for _, m := range members {
			act, err := ReadAct(m.Player, 0)
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
	due, err := e.readDue(ctx)
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
	var p redis.Pipeline
	p.Add(e.leaveWord(behind), nil) // first, so that the day is never without a mark
	if word := due.days[day]; len(word) > 0 {
		p.Add(upstash.Cmd(append([]string{"SREM", ActsDueKey}, word...)...).Idempotent(), nil)
	}
	p.Add(upstash.Cmd(slices.AppendSeq(homes, maps.Keys(part.met))...).Idempotent(), nil)
	leave := func(key string) {
		p.Add(upstash.Cmd(append([]string{"ZREM", key}, part.vanished...)...).Idempotent(), nil)
	}
	leave(ActiveKey(day.date))
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
