package derive

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// work works out what the player's entry must be. It is not found if the player has none on any
// source, or if the entry cannot be known.
func (o *OwnEntry) work(ctx context.Context, stored redis.Place) (redis.Place, error) {
	b := o.board
	if b.Scope.ByCountry() && !stored.Found {
		if lives, err := o.livesThere(ctx); err != nil || !lives {
			return redis.Place{}, err
		}
	}
	if b.Mode.Name == game.XPMode {
		return o.ru.xp.OwnXP(ctx, o.player, o.days.read())
	}
	_, sure := o.until()
	if !stored.Found && sure && !o.isNew() && b.Scope.Written() {
		if member, err := o.isMember(ctx); err != nil || !member {
			return redis.Place{}, err
		}
	}
	if direct := b.Scope.Kind() != game.Group || b.Mode.Policy == game.First; direct && !o.isLate() {
		switch a := b.Mode.Aggregate; {
		case a == game.Last && o.days.played():
			return o.days.newest(), nil
		case sure && improves(b.Mode) && o.days.played() && (stored.Found || !b.Scope.ByCountry()):
			return combineEntries(a, stored, o.days.best(a)), nil
		}
	}
	if b.Scope.ByCountry() {
		b = game.BoardOf(b.Mode, b.Period, game.Scope{})
	}
	s := &ownSources{o: o, of: b, have: o.days.read()}
	entry, err := s.entry(ctx)
	if s.partly && entry.Found {
		return s.atLeast(entry, stored), err
	}
	return entry, err
}

// improves reports whether replacing a day's entry never makes an entry on a board of the mode
// worse, so that the better of two is right.
func improves(m *game.Mode) bool {
	if m.Aggregate != game.Max && m.Aggregate != game.Min {
		return false
	}
	return m.Policy == game.First || m.Policy == game.Best && (m.Order == game.Desc) == (m.Aggregate == game.Max)
}

// livesThere reports whether the player is of the board's country or region.
func (o *OwnEntry) livesThere(ctx context.Context) (bool, error) {
	var number redis.Place
	err := o.ru.db.Ask(ctx, upstash.Cmd("ZSCORE", game.CountriesKey, o.player), redis.ScoreInto(&number))
	return number.Found && o.board.Scope.HasCountry(game.CountryOf(int64(number.Stored))), err
}

// isMember reports whether the player has an entry on the group's boards of the days.
func (o *OwnEntry) isMember(ctx context.Context) (bool, error) {
	at := make([]redis.Place, len(o.days))
	var p redis.Pipeline
	for i, day := range o.days {
		p.Add(upstash.Cmd("ZSCORE", game.BoardKey(day.mode.Name, game.Day.Of(day.date), o.board.Scope), o.player), redis.ScoreInto(&at[i]))
	}
	_, err := p.Run(ctx, o.ru.db.Redis)
	return slices.ContainsFunc(at, func(at redis.Place) bool { return at.Found }), err
}

// ownSources reads one player's entries on the sources of a board that is made from days.
type ownSources struct {
	o    *OwnEntry
	of   game.Board             // the board; for a country or region that of all players
	have map[string]redis.Place // what has been read already

	dates    []game.Date // days that are surely not rolled up, ascending
	sealed   []game.Date // days that may have been rolled up
	rolledUp redis.Place
	partly   bool // days are lost of which the archive does not have the entry either
}

// entry combines the sources as a refresh would. The entry of a day that expired before it was
// rolled up comes from the archive: no refresh makes the board meanwhile. It is not found if the
// board is of a week of which days have expired.
//
// Days are read as they are, one after the other: each has at least what was answered before.
// What was rolled up is read after the states of the days that may be in it, so that no day
// counts twice, and none is left out.
func (s *ownSources) entry(ctx context.Context) (redis.Place, error) {
	if !s.list() {
		return redis.Place{}, nil
	}
	var sealed Index
	var p redis.Pipeline
	if len(s.sealed) > 0 {
		if err := s.o.ru.Calendar.KnowListed(ctx); err != nil {
			return redis.Place{}, err
		}
		askStates(&p, s.of, s.sealed, &sealed)
		p.Add(upstash.Cmd("ZSCORE", game.RolledUpKey(s.of.Key), s.o.player), redis.ScoreInto(&s.rolledUp))
	}
	s.askDays(&p, s.dates)
	if _, err := p.Run(ctx, s.o.ru.db.Redis); err != nil {
		return redis.Place{}, err
	}
	if unfinished := s.open(sealed); len(unfinished) > 0 {
		whole, err := s.readUnfinished(ctx, unfinished)
		if err != nil || !whole {
			return redis.Place{}, err
		}
	}
	if lost := s.lost(sealed); len(lost) > 0 {
		s.partly = !s.lostEntries(ctx, lost)
		s.dates = append(lost, s.dates...)
	}
	add, all := AddingOf(s.o.ru, s.of), s.rolledUp
	for _, d := range s.dates {
		at := s.place(d)
		at.Stored = add.Day(d, at.Stored)
		all = combineEntries(s.of.Mode.Aggregate, all, at)
	}
	all.Stored = add.Shown(all.Stored)
	return all, nil
}

// list sorts the period's days that may be in Redis into dates and sealed. It reports false if
// a day of a week has expired.
func (s *ownSources) list() bool {
	ru, b := s.o.ru, s.of
	soon := ru.db.Now().Add(InFlight) // by the clock of another process the day may be sealed already
	newest := ru.db.Game.Today(ru.db.Now()).AddDays(1)
	oldest := mostAdded
	if b.Period.Rolls() {
		oldest = max(oldest, newest.DaysSince(b.Period.First()))
	}
	for back := oldest; back >= 0; back-- {
		d := newest.AddDays(-back)
		if !b.Period.Contains(d) || !ru.Calendar.Begins(d) {
			continue
		}
		if b.Period.OfDates() || soon.Before(ru.db.Game.Seals(d)) {
			s.dates = append(s.dates, d)
		} else {
			s.sealed = append(s.sealed, d)
		}
	}
	return b.Period.Kind() != game.Week || ru.db.Alive(b.Period.First())
}

// open lists the sealed days that are not rolled up and have not expired.
func (s *ownSources) open(sealed Index) []game.Date {
	return slices.DeleteFunc(sealed.open(), func(d game.Date) bool { return !s.o.ru.db.Alive(d) })
}

// lost lists the days of the board, ascending, that expired before they were rolled up: as the
// refresh found them, and those that have expired since.
func (s *ownSources) lost(sealed Index) []game.Date {
	lost := s.o.known.lostDays()
	for _, d := range sealed.open() {
		if !s.o.ru.db.Alive(d) && !sealed.Empty[d] && !slices.Contains(lost, d) {
			lost = append(lost, d)
		}
	}
	return slices.DeleteFunc(lost, func(d game.Date) bool { return sealed.RolledUp[d] || !s.of.Period.Contains(d) })
}

func (s *ownSources) board(d game.Date) game.Board {
	return game.BoardOf(s.of.Mode, game.Day.Of(d), s.of.Scope)
}

// askDays queues what reads the player's entries of days.
func (s *ownSources) askDays(p *redis.Pipeline, dates []game.Date) {
	ask := func(key string) {
		if _, ok := s.have[key]; ok {
			return
		}
		p.Add(upstash.Cmd("ZSCORE", key, s.o.player), func(r upstash.Reply) error {
			var at redis.Place
			err := redis.ScoreInto(&at)(r)
			s.have[key] = at
			return err
		})
	}
	for _, d := range dates {
		b := s.board(d)
		ask(b.Key)
		if mayBeBehind(s.o.ru.db, b) {
			ask(game.BoardKey(b.Mode.Name, b.Period, game.Scope{}))
		}
	}
}

// place is the player's entry of a day.
func (s *ownSources) place(d game.Date) redis.Place {
	b := s.board(d)
	at := s.have[b.Key]
	if day := s.have[game.BoardKey(b.Mode.Name, b.Period, game.Scope{})]; at.Found && mayBeBehind(s.o.ru.db, b) && day.Found {
		return day
	}
	return at
}

// readUnfinished reads the days that are due to be rolled up, or partly are, together with what
// was rolled up, in one step. While a day is rolled up in pages, what was rolled up contains it
// only for players whose page has been rolled up. More such days can appear only if days are
// restored.
func (s *ownSources) readUnfinished(ctx context.Context, dates []game.Date) (whole bool, err error) {
	var sealed Index
	p := redis.Pipeline{Atomic: true}
	askStates(&p, s.of, s.sealed, &sealed)
	p.Add(upstash.Cmd("ZSCORE", game.RolledUpKey(s.of.Key), s.o.player), redis.ScoreInto(&s.rolledUp))
	ranks := make([]redis.Place, len(dates))
	for i, d := range dates {
		p.Add(upstash.Cmd("ZRANK", s.board(d).Key, s.o.player, "WITHSCORE"), redis.PlaceInto(&ranks[i]))
	}
	if _, err := p.Run(ctx, s.o.ru.db.Redis); err != nil {
		return false, err
	}
	open := s.open(sealed)
	for _, d := range open {
		i := slices.Index(dates, d)
		if i < 0 {
			return s.readUnfinished(ctx, open)
		}
		at := ranks[i]
		if page, elsewhere, err := pageOf(sealed.cursor, d); err != nil {
			return false, err
		} else if !elsewhere && at.Position < page*rollUpPerCall {
			at = redis.Place{} // counted with what was rolled up
		}
		s.have[s.board(d).Key] = at
	}
	s.dates = append(open, s.dates...)
	return true, nil
}
