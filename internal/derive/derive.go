package derive

import (
	"context"
	"errors"
	"maps"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// mostAdded is how many days all time may add up with their tie fractions:
// 31 fractions below 1/32 stay below 1.
const mostAdded = 31

// ofDays makes a board that adds days up.
type ofDays struct {
	ru    *Rollup
	board game.Board
	run   *refreshRun // nil: a schedule makes the board, whatever locks there are
}

// deriveTries is how often a board is made at most, if days are rolled up while it is made. As
// a rule one day is rolled up each day.
const deriveTries = 4

// derive combines the board's days, and what was rolled up of earlier ones, into the board. If a
// day has expired before it was rolled up, the board has more than is left of its sources:
// derive leaves it as it is, and whole is false.
func (f ofDays) derive(ctx context.Context, days Index) (whole bool, err error) {
	in, err := f.ru.Banded.InBands(ctx, f.board)
	switch {
	case err != nil:
		return false, err
	case in != nil:
		return true, in.carryDays(ctx)
	}
	if overdue(f.board, days) {
		if days, err = f.rollUpOverdue(ctx); err != nil {
			return false, err
		}
	}
	for try := 1; ; try++ {
		if underWay(f.board, days) {
			if days, whole, err = f.finishRollUp(ctx, days); err != nil || !whole {
				return false, err
			}
		}
		if whole, err = f.deriveFrom(ctx, days); err != nil || !whole || !f.mayChange(days) {
			return whole, err
		}
		was := days
		if days, err = f.ru.Calendar.index(ctx, f.board); err != nil || was.sameSources(days) {
			return true, err
		}
		if try == deriveTries {
			return false, nil
		}
	}
}

// overdue reports whether a board of all time, or of a season, has too many days to add up
// that are not rolled up.
func overdue(b game.Board, days Index) bool {
	return b.Period.TrueScores() && len(days.Dates)-len(days.RolledUp) > mostAdded
}

// rollUpOverdue rolls up days of which there are too many to add up, as happens if the daily
// schedule does not run.
func (f ofDays) rollUpOverdue(ctx context.Context) (Index, error) {
	b := f.board
	global, scoped, err := f.ru.Calendar.Indexes(ctx, b.Mode)
	if err != nil {
		return Index{}, err
	}
	days := global
	if b.Scope != (game.Scope{}) {
		days = scoped[b.Scope]
	}
	if err := f.ru.RollUp(ctx, f.ru.SequenceOf(b.Mode, b.Scope), days, &RolledUp{}); err != nil {
		return Index{}, err
	}
	return f.ru.Calendar.index(ctx, b)
}

// A day of many players is rolled up in pages. Meanwhile all of its players are on its own
// board, and some of them are in what was rolled up too. A board that is made from both would
// count these twice. So would a board that is made from an index as it was before the day was
// rolled up, and from what was rolled up as it was after.

// underWay reports whether a day of the board is being rolled up, or was when a run was cut
// off, so that adding up would count some players twice. Only sums are wrong then: of two equal
// entries the best, the least and the newest are the same.
func underWay(b game.Board, days Index) bool {
	return days.cursor != "" && addsRolledUp(b)
}

// addsRolledUp reports whether a board adds days up with what was rolled up of earlier
// ones, so that a day in both would count twice.
func addsRolledUp(b game.Board) bool {
	return b.Mode.Aggregate == game.Sum && !b.Period.OfDates()
}

// finishPages is how many pages of a rolling up under way a refresh takes in: half a second of
// Redis' time. If a day has more pages, boards that need it stay as they are meanwhile.
const finishPages = 50

// finishRollUp continues the rolling up of a day, beside the run that began it. It reports
// false if that does not finish the day.
func (f ofDays) finishRollUp(ctx context.Context, days Index) (left Index, done bool, err error) {
	run := sequenceRun{ru: f.ru, Sequence: f.ru.SequenceOf(f.board.Mode, f.board.Scope), most: finishPages}
	for _, d := range days.Dates {
		if _, elsewhere, err := pageOf(days.cursor, d); err != nil {
			return left, false, err
		} else if elsewhere {
			continue
		}
		state, err := run.day(ctx, d, days)
		if err != nil || state == "left" {
			return left, false, err
		}
		break
	}
	left, err = f.ru.Calendar.index(ctx, f.board)
	return left, err == nil && left.cursor == "", err
}

// mayChange reports whether days of the board may have been rolled up since its index was read:
// one of them is due, or making the board took several round trips, and one became due
// meanwhile.
func (f ofDays) mayChange(days Index) bool {
	if !addsRolledUp(f.board) {
		return false
	}
	players, _ := f.ru.totals.Last(f.board.Key)
	return f.ru.Calendar.hasSealed(days) || AddingOf(f.ru, f.board).floor || players > UnionBound/2
}

// sameSources reports whether two readings of an index give a board the same sources.
func (x *Index) sameSources(y Index) bool {
	return maps.Equal(x.RolledUp, y.RolledUp) && x.cursor == y.cursor
}

func (f ofDays) deriveFrom(ctx context.Context, days Index) (whole bool, err error) {
	dates := f.dates(days)
	sources, gone, err := f.sources(ctx, dates, days)
	if err != nil || len(gone) > 0 {
		return false, errors.Join(err, f.run.noteLost(ctx, gone))
	}
	if err := (following{f.ru}).days(ctx, f.board, days); err != nil {
		return false, err
	}
	if add := AddingOf(f.ru, f.board); add.floor && (len(dates) > 0 || add.decay != nil) {
		return true, f.combineTrue(ctx, add, sources, dates)
	}
	return true, f.ru.combine(ctx, f.board, sources, f.run)
}

// dates lists the days that the board is made of and that are not rolled up into it, oldest
// first.
func (f ofDays) dates(days Index) (dates []game.Date) {
	for _, d := range days.Dates {
		if f.board.Period.Contains(d) && (f.board.Period.OfDates() || !days.RolledUp[d]) {
			dates = append(dates, d)
		}
	}
	return dates
}

// sources lists the keys that the board is made of, oldest first: what was rolled up, then the
// boards of dates. gone are the dates whose boards have expired.
//
// Cost: nothing, or 1 billed command if dates have expired; if some of them are gone of which the
// board should have what was rolled up, 1 more for each.
func (f ofDays) sources(ctx context.Context, dates []game.Date, days Index) (keys []string, gone []game.Date, err error) {
	b := f.board
	if !b.Period.OfDates() {
		keys = append(keys, game.RolledUpKey(b.Key))
	}
	var mayBeGone []game.Date
	var their []string
	for _, d := range dates {
		key := game.BoardKey(b.Mode.Name, game.Day.Of(d), b.Scope)
		keys = append(keys, key)
		if !b.Period.Rolls() && !f.ru.db.Alive(d) && !days.Empty[d] {
			mayBeGone, their = append(mayBeGone, d), append(their, key)
		}
	}
	n, err := redis.CountThere(ctx, f.ru.db.Redis, their...)
	if err != nil || n == int64(len(their)) {
		return keys, nil, err
	}
	if b.Period.OfDates() {
		return keys, mayBeGone, nil
	}
	for i, key := range their {
		there, err := f.ru.db.Exists(ctx, key)
		if err != nil {
			return nil, nil, err
		}
		if !there {
			gone = append(gone, mayBeGone[i])
		}
	}
	return keys, gone, nil
}

// combineTrue makes the board from what was rolled up and the true scores of its other days,
// which add adds up. Sources are those of dates, behind what was rolled up.
//
// Cost: 6 billed commands, 1 for every 10,000 entries of the board, and 1 for each source or, if
// the board is large, 1 for every 20,000 entries of each source.
func (f ofDays) combineTrue(ctx context.Context, add Adding, sources []string, dates []game.Date) error {
	all := NewSums(add.aggregate)
	err := f.eachSource(ctx, sources, func(i int, members []redis.Member) {
		if i > 0 {
			for m := range members {
				members[m].Stored = add.Day(dates[i-1], members[m].Stored)
			}
		}
		all.Take(i, members)
	})
	if err != nil {
		return err
	}
	return f.ru.replace(ctx, f.board, all.Players(), func(yield func(string, float64) bool) {
		for player, sum := range all.Entries() {
			if !yield(player, add.Shown(sum)) {
				return
			}
		}
	})
}

// eachSource reads the board's sources, in their order: those of a small board in one round
// trip, those of a large one in pages. Two pages may have the same player.
func (f ofDays) eachSource(ctx context.Context, sources []string, each func(i int, members []redis.Member)) error {
	large, err := f.ru.Large(ctx, f.board.Key, sources)
	if err != nil {
		return err
	}
	if large {
		return scanEach(ctx, f.ru.db, sources, each)
	}
	read := make([][]redis.Member, len(sources))
	var p redis.Pipeline
	for i, source := range sources {
		p.Add(upstash.Cmd("ZRANGE", source, "0", "-1", "WITHSCORES"), redis.MembersInto(&read[i]))
	}
	if _, err := p.Run(ctx, f.ru.db.Redis); err != nil {
		return err
	}
	for i, members := range read {
		each(i, members)
	}
	return nil
}
