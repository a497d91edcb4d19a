package rollup

import (
	"context"
	"maps"

	"github.com/framedle/leaderboards/internal/game"
)

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

// finishRollUp goes on with the rolling up of a day, beside the run that has begun it. It
// reports false if the day is not finished by that.
func (f ofDays) finishRollUp(ctx context.Context, b game.Board, days Index) (left Index, done bool, err error) {
	run := sequenceRun{ru: f.ru, Sequence: f.ru.SequenceOf(b.Mode, b.Scope), most: finishPages}
	for _, d := range days.Dates {
		if _, elsewhere, err := pageOf(days.cursor, d); err != nil {
			return left, false, err
		} else if elsewhere {
			continue
		}
		state, err := run.day(ctx, d, days.cursor)
		if err != nil || state == "left" {
			return left, false, err
		}
		break
	}
	left, err = f.ru.Calendar.index(ctx, b)
	return left, err == nil && left.cursor == "", err
}

// mayChange reports whether days of a board may have been rolled up since its index was read:
// one of them is due, or making the board took several round trips, and one became due
// meanwhile.
func (f ofDays) mayChange(b game.Board, days Index) bool {
	if !addsRolledUp(b) {
		return false
	}
	players, _ := f.ru.totals.Last(b.Key)
	return f.ru.Calendar.sealed(days) || AddingOf(f.ru, b).floor || players > UnionBound/2
}

// sameSources reports whether two readings of an index give a board the same sources.
func (x *Index) sameSources(y Index) bool {
	return maps.Equal(x.RolledUp, y.RolledUp) && x.cursor == y.cursor
}
