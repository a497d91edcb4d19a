package lifecycle

import (
	"context"
	"maps"
	"slices"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// A restore makes everything in Redis again from archived results: days that may still be
// there as days, and older ones as if they had been rolled up. Each step replaces what it
// makes, and may be repeated.

// NoteRolledUp notes that a day of a mode and scope has been rolled up.
//
// Cost: 2 billed commands.
func (rs *Restore) NoteRolledUp(ctx context.Context, m *game.Mode, d game.Date, scope game.Scope) error {
	return redis.Wrap("note that a day is rolled up", rs.noteDay(ctx, m, d, scope, derive.DayRolledUp))
}

// NoteOpen notes that a day of a mode and scope has not been rolled up.
//
// Cost: 2 billed commands.
func (rs *Restore) NoteOpen(ctx context.Context, m *game.Mode, d game.Date, scope game.Scope) error {
	return redis.Wrap("note that a day is not rolled up", rs.noteDay(ctx, m, d, scope, derive.DayOpen))
}

// NoteDaysRolledUp is NoteRolledUp for several days of a mode and their scopes. Call it only
// while no roll-up is under way.
//
// Cost: 1 billed command for every 10,000 boards of them, of all players and of
// groups each.
func (s *Restore) NoteDaysRolledUp(ctx context.Context, m *game.Mode, days map[game.Date][]game.Scope) error {
	global, scoped := []string{}, []string{}
	for d, scopes := range days {
		for _, scope := range scopes {
			if scope == (game.Scope{}) {
				global = append(global, d.String(), derive.DayRolledUp)
			} else {
				scoped = append(scoped, game.ScopedDay(d, scope), derive.DayRolledUp)
			}
		}
	}
	var p redis.Pipeline
	for key, fields := range map[string][]string{game.DaysKey(m.Name): global, game.ScopedDaysKey(m.Name): scoped} {
		for some := range slices.Chunk(fields, 2*redis.WritePage) {
			p.Add(upstash.Cmd(append([]string{"HSET", key}, some...)...).Idempotent(), nil)
		}
	}
	_, err := p.Run(ctx, s.DB.Redis)
	return redis.Wrap("note that days are folded", err)
}

func (rs *Restore) noteDay(ctx context.Context, m *game.Mode, d game.Date, scope game.Scope, state string) error {
	f := rs.Rollup.SequenceOf(m, scope)
	var p redis.Pipeline
	p.Add(upstash.Cmd("HSET", f.Index, f.Field(d), state).Idempotent(), nil)
	p.Add(upstash.Cmd("HDEL", f.Index, f.Cursor).Idempotent(), nil)
	_, err := p.Run(ctx, rs.DB.Redis)
	return err
}

// RestoreRolledUp makes the rolled-up days of a month, a season or all time from stored scores
// by player; for all time from true scores if days are summed.
// Cost: as Replace.
func (rs *Restore) RestoreRolledUp(ctx context.Context, b game.Board, all map[string]float64) error {
	if done, err := rs.Rollup.Banded.ReplaceRolledUp(ctx, b, all); done || err != nil {
		return err
	}
	b.Key = game.RolledUpKey(b.Key)
	if err := rs.Played.Put(ctx, b.Scope, slices.Collect(maps.Keys(all))); err != nil {
		return err
	}
	return rs.Rollup.Replace(ctx, b, all)
}

// RestoreXP makes XP from what each day that still lives gave, and from the total of all other
// days. If days is nil, the days in Redis stay, and the total is that of all days that have
// been rolled up.
// Cost: as Replace for each day, and for XP itself.
func (rs *Restore) RestoreXP(ctx context.Context, days map[game.Date]map[string]float64, rolledUp map[string]float64) error {
	if err := rs.RestoreRolledUp(ctx, game.Board{Key: game.XPKey, Period: game.AllTime.Of(game.Date{})}, rolledUp); err != nil {
		return err
	}
	var p redis.Pipeline
	if days == nil {
		return redis.Wrap("restore XP", rs.rebaseOnto(ctx, rolledUp))
	}
	p.Add(upstash.Cmd("DEL", game.DaysKey(game.XPMode)).Idempotent(), nil)
	p.Add(upstash.Cmd("HDEL", game.ClosedKey, game.XPMode).Idempotent(), nil)
	for d, all := range days {
		if err := rs.Rollup.Replace(ctx, game.Board{Key: game.XPDayKey(d), Period: game.Day.Of(d)}, all); err != nil {
			return err
		}
		p.Add(upstash.Cmd("HSET", game.DaysKey(game.XPMode), d.String(), derive.DayOpen).Idempotent(), nil)
	}
	if len(days) == 0 && len(rolledUp) > 0 {
		newest := rs.DB.Game.OpenDates(rs.DB.Now())[0].AddDays(-1)
		p.Add(upstash.Cmd("HSET", game.DaysKey(game.XPMode), newest.String(), derive.DayRolledUp).Idempotent(), nil)
	}
	if len(days) == 0 && len(rolledUp) == 0 {
		// Without a base, the days that Redis has are all of XP.
		p.Add(upstash.Cmd("DEL", game.XPBaseKey).Idempotent(), nil)
	}
	if _, err := p.Run(ctx, rs.DB.Redis); err != nil {
		return redis.Wrap("restore XP", err)
	}
	return redis.Wrap("restore XP", rs.XP.Rebase(ctx, nil))
}

// rebaseOnto makes the base of XP from a total that was just put in place and from the days in
// Redis. If the index has no day, it adds one.
func (rs *Restore) rebaseOnto(ctx context.Context, rolledUp map[string]float64) error {
	var days derive.Index
	if err := rs.DB.Ask(ctx, upstash.Cmd("HGETALL", game.DaysKey(game.XPMode)), derive.DaysInto(&days)); err != nil {
		return err
	}
	if len(days.Dates) == 0 && len(rolledUp) > 0 {
		newest := rs.DB.Game.OpenDates(rs.DB.Now())[0].AddDays(-1)
		note := upstash.Cmd("HSET", game.DaysKey(game.XPMode), newest.String(), derive.DayRolledUp).Idempotent()
		if _, err := rs.DB.Redis.Do(ctx, note); err != nil {
			return err
		}
	}
	return rs.XP.Rebase(ctx, nil)
}

// RolledUpXP returns the days, of those that Redis knows, whose XP has been rolled up.
//
// Cost: 1 billed command.
func (s *Restore) RolledUpXP(ctx context.Context) (map[game.Date]bool, error) {
	var days derive.Index
	err := s.DB.Ask(ctx, upstash.Cmd("HGETALL", game.DaysKey(game.XPMode)), derive.DaysInto(&days))
	return days.RolledUp, redis.Wrap("list the days of XP", err)
}

// RestoreStreaks makes the records of players' streaks.
// Cost: 1 billed command for every 10,000 players.
func (rs *Restore) RestoreStreaks(ctx context.Context, streaks []game.Played) error {
	settled := rs.DB.Game.Today(rs.DB.Now()).AddDays(-player.UnsettledDays)
	for some := range slices.Chunk(streaks, redis.WritePage) {
		command := []string{"HSET", game.StreaksKey}
		for _, streak := range some {
			command = append(command, streak.Player, rs.streakOf(streak.Dates, settled).String())
		}
		if _, err := rs.DB.Redis.Do(ctx, upstash.Cmd(command...).Idempotent()); err != nil {
			return redis.Wrap("restore streaks", err)
		}
	}
	return nil
}

// streakOf makes the record of a player who played on these dates, ascending.
func (rs *Restore) streakOf(dates []game.Date, settled game.Date) player.Streak {
	record := player.Streak{Through: settled}
	for _, d := range dates {
		if d.After(settled) {
			record = record.Play(rs.DB.Game.Streak, d)
		} else {
			record.Settled = rs.DB.Game.Streak.Play(record.Settled, d)
		}
	}
	return record
}

// RestoreProfiles keeps profiles with the times at which the archive got them: a newer profile
// in Redis stays.
// Cost: 2 billed commands for every 10,000 players.
func (rs *Restore) RestoreProfiles(ctx context.Context, answer []game.PlayerProfile) error {
	command := []string{"HSET", game.ProfilesKey}
	countries := map[string]string{}
	send := func() error {
		if len(command) == 2 {
			return nil
		}
		var p redis.Pipeline
		rs.Players.PutCountries(&p, countries)
		p.Add(upstash.Cmd(command...).Idempotent(), nil)
		_, err := p.Run(ctx, rs.DB.Redis)
		command = command[:2:2]
		clear(countries)
		return redis.Wrap("restore profiles", err)
	}
	for _, t := range answer {
		countries[t.Player] = t.Profile.Country
		command = append(command, t.Player, player.Record(t.Profile, t.UpdatedAt))
		if t.Profile.Hidden {
			command = append(command, game.OwnProfile(t.Player), player.OwnRecord(game.Profile{Hidden: true}))
		}
		if len(command) >= 2+2*redis.WritePage {
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
func (rs *Restore) ReadDay(ctx context.Context, m *game.Mode, d game.Date, page func([]game.Result) error) error {
	groups, err := rs.GroupsOf(ctx, m, d)
	if err != nil {
		return err
	}
	r := Reading{Board: game.BoardOf(m, game.Day.Of(d), game.Scope{}), Groups: groups, Known: ProfileCache{}}
	return redis.Wrap("read "+r.Board.Key, rs.Days.Read(ctx, &r, page))
}

// GroupsOf returns the boards that groups and levels have of a mode's day.
//
// Cost: 1 billed command, and 1 for groups.
func (rs *Restore) GroupsOf(ctx context.Context, m *game.Mode, d game.Date) (groups []game.Board, err error) {
	_, scoped, err := rs.Rollup.Calendar.Indexes(ctx, m)
	if err != nil {
		return nil, err
	}
	for _, scope := range derive.SortedScopes(scoped) {
		if scoped[scope].Has(d) {
			groups = append(groups, game.BoardOf(m, game.Day.Of(d), scope))
		}
	}
	return groups, nil
}
