package board

import (
	"context"
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// A restore makes everything that Redis holds again from results that were
// kept elsewhere: days that can still be there as days, and what is older as
// if it had been folded. Each step replaces what it is about, and may be
// repeated.

// Alive reports whether a day's board has not reached the end of its life.
func (s *Store) Alive(d game.Date) bool { return s.alive(d) }

// NoteFolded notes that a day of a mode and scope has been folded.
//
// Cost: 2 billed commands.
func (s *Store) NoteFolded(ctx context.Context, m *game.Mode, d game.Date, scope game.Scope) error {
	return wrap("note that a day is folded", s.noteDay(ctx, m, d, scope, dayFolded))
}

// NoteFoldedDays is NoteFolded for several days of a mode and their scopes, where
// no fold is under way.
//
// Cost: 1 billed command for every 10,000 boards of them, of all players and of
// groups each.
func NoteFoldedDays(ctx context.Context, s *Store, m *game.Mode, days map[game.Date][]game.Scope) error {
	global, scoped := []string{}, []string{}
	for d, scopes := range days {
		for _, scope := range scopes {
			if scope == (game.Scope{}) {
				global = append(global, d.String(), dayFolded)
			} else {
				scoped = append(scoped, game.ScopedDay(d, scope), dayFolded)
			}
		}
	}
	var p pipeline
	for key, fields := range map[string][]string{game.DaysKey(m.Name): global, game.ScopedDaysKey(m.Name): scoped} {
		for some := range slices.Chunk(fields, 2*writePage) {
			p.add(upstash.Cmd(append([]string{"HSET", key}, some...)...).Idempotent(), nil)
		}
	}
	_, err := p.run(ctx, s.redis)
	return wrap("note that days are folded", err)
}

func (s *Store) noteDay(ctx context.Context, m *game.Mode, d game.Date, scope game.Scope, state string) error {
	f := s.foldOf(m, scope)
	var p pipeline
	p.add(upstash.Cmd("HSET", f.index, f.field(d), state).Idempotent(), nil)
	p.add(upstash.Cmd("HDEL", f.index, f.cursor).Idempotent(), nil)
	_, err := p.run(ctx, s.redis)
	return err
}

// RestoreFolded makes what a month or all time holds of folded days, from
// stored scores by player; all time takes true scores where days are summed.
// Cost: as Replace.
func (s *Store) RestoreFolded(ctx context.Context, b Board, all map[string]float64) error {
	b.Key = game.FoldedKey(b.Key)
	if err := s.putGroup(ctx, b.Scope, slices.Collect(maps.Keys(all))); err != nil {
		return err
	}
	return s.Replace(ctx, b, all)
}

// RestoreXP makes XP from what each day that is alive gave, and from the total
// of all that are not. Without days (nil), those that Redis has stay as they are,
// and the total is of all that have been folded.
// Cost: as Replace for each day, and for XP itself.
func (s *Store) RestoreXP(ctx context.Context, days map[game.Date]map[string]float64, folded map[string]float64) error {
	if err := s.RestoreFolded(ctx, Board{Key: game.XPKey, Period: game.AllTime.Of(game.Date{})}, folded); err != nil {
		return err
	}
	var p pipeline
	if days == nil {
		return wrap("restore XP", s.rebaseOnto(ctx, folded))
	}
	p.add(upstash.Cmd("DEL", game.DaysKey(game.XPMode)).Idempotent(), nil)
	p.add(upstash.Cmd("HDEL", game.ClosedKey, game.XPMode).Idempotent(), nil)
	for d, all := range days {
		if err := s.Replace(ctx, Board{Key: game.XPDayKey(d), Period: game.Day.Of(d)}, all); err != nil {
			return err
		}
		p.add(upstash.Cmd("HSET", game.DaysKey(game.XPMode), d.String(), dayOpen).Idempotent(), nil)
	}
	if len(days) == 0 && len(folded) > 0 {
		newest := s.game.OpenDates(s.now())[0].AddDays(-1)
		p.add(upstash.Cmd("HSET", game.DaysKey(game.XPMode), newest.String(), dayFolded).Idempotent(), nil)
	}
	if len(days) == 0 && len(folded) == 0 {
		// Nothing makes a base: days that are there are all that XP is made of.
		p.add(upstash.Cmd("DEL", game.XPBaseKey).Idempotent(), nil)
	}
	if _, err := p.run(ctx, s.redis); err != nil {
		return wrap("restore XP", err)
	}
	return wrap("restore XP", s.rebase(ctx, nil))
}

// rebaseOnto makes the base of XP from a total that has just been put in place,
// and from the days that are there; where none is, the index gets one.
func (s *Store) rebaseOnto(ctx context.Context, folded map[string]float64) error {
	var days dayIndex
	var p pipeline
	p.add(upstash.Cmd("HGETALL", game.DaysKey(game.XPMode)), daysInto(&days))
	if _, err := p.run(ctx, s.redis); err != nil {
		return err
	}
	if len(days.dates) == 0 && len(folded) > 0 {
		newest := s.game.OpenDates(s.now())[0].AddDays(-1)
		note := upstash.Cmd("HSET", game.DaysKey(game.XPMode), newest.String(), dayFolded).Idempotent()
		if _, err := s.redis.Do(ctx, note); err != nil {
			return err
		}
	}
	return s.rebase(ctx, nil)
}

// FoldedXP tells which days' XP has been folded, among those that Redis knows.
//
// Cost: 1 billed command.
func FoldedXP(ctx context.Context, s *Store) (map[game.Date]bool, error) {
	var days dayIndex
	var p pipeline
	p.add(upstash.Cmd("HGETALL", game.DaysKey(game.XPMode)), daysInto(&days))
	_, err := p.run(ctx, s.redis)
	return days.folded, wrap("list the days of XP", err)
}

// RestoreStreak is what a player's streak record says of the dates played,
// ascending.
type RestoreStreak = game.Played

// RestoreStreaks makes the records of some players' streaks.
// Cost: 1 billed command for every 10,000 players.
func (s *Store) RestoreStreaks(ctx context.Context, streaks []RestoreStreak) error {
	settled := s.game.Today(s.now()).AddDays(-unsettledDays)
	for some := range slices.Chunk(streaks, writePage) {
		command := []string{"HSET", game.StreaksKey}
		for _, streak := range some {
			command = append(command, streak.Player, s.streakOf(streak.Dates, settled).String())
		}
		if _, err := s.redis.Do(ctx, upstash.Cmd(command...).Idempotent()); err != nil {
			return wrap("restore streaks", err)
		}
	}
	return nil
}

// streakOf is the record of somebody who played on these dates, ascending.
func (s *Store) streakOf(dates []game.Date, settled game.Date) streakRecord {
	record := streakRecord{through: settled}
	for _, d := range dates {
		if d.After(settled) {
			record = record.play(s.game.Streak, d)
		} else {
			record.settled = s.game.Streak.Play(record.settled, d)
		}
	}
	return record
}

// RestoreProfiles keeps profiles of players, since the moments that the archive
// has them from: what was told before changes nothing.
// Cost: 2 billed commands for every 10,000 players.
func (s *Store) RestoreProfiles(ctx context.Context, profiles []Told) error {
	command := []string{"HSET", game.ProfilesKey}
	countries := map[string]string{}
	send := func() error {
		if len(command) == 2 {
			return nil
		}
		var p pipeline
		s.putCountries(&p, countries)
		p.add(upstash.Cmd(command...).Idempotent(), nil)
		_, err := p.run(ctx, s.redis)
		command = command[:2:2]
		clear(countries)
		return wrap("restore profiles", err)
	}
	for _, t := range profiles {
		countries[t.Player] = t.Profile.Country
		command = append(command, t.Player, t.Profile.record(t.Moment))
		if t.Profile.Hidden {
			command = append(command, game.OwnProfile(t.Player), ownRecord(Profile{Hidden: true}))
		}
		if len(command) >= 2+2*writePage {
			if err := send(); err != nil {
				return err
			}
		}
	}
	return send()
}

// ReadDay reads a day's boards and details as a closing does, page by page.
//
// Cost: 2 billed commands, 1 for each scope, and for every 20,000 players 3 and
// 2 for details.
func (s *Store) ReadDay(ctx context.Context, m *game.Mode, d game.Date, page func([]Result) error) error {
	_, scoped, err := s.allDays(ctx, m)
	if err != nil {
		return err
	}
	day := Unclosed{Date: d, scopes: map[string][]game.Scope{}}
	for _, scope := range sortedScopes(scoped) {
		if scoped[scope].has(d) {
			day.scopes[m.Name] = append(day.scopes[m.Name], scope)
		}
	}
	scopes, err := s.scopesOf(ctx, m, day)
	if err != nil {
		return err
	}
	key := game.BoardKey(m.Name, game.Day.Of(d), game.Scope{})
	return wrap("read "+key, s.eachMember(ctx, key, func(members []member) error {
		results, err := s.results(ctx, m, d, members, scopes, knownProfiles{})
		if err != nil {
			return err
		}
		return page(results)
	}))
}
