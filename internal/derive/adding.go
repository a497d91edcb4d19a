package derive

import (
	"math"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

// Adding adds a player's days up to their entry on a board, oldest first: each day as it is
// stored, or its true score, or, if the board decays, its true score with its weight. All code
// that makes an entry from days, rolls days up, or works out what a removal leaves uses it: so
// the same days give the same number, to the last bit, however many of them were rolled up. It
// is for one goroutine.
type Adding struct {
	aggregate game.Aggregate
	floor     bool // true scores only
	decay     *game.DecayRule
	today     game.Date
	unit      float64               // of today
	weights   map[game.Date]float64 // those that were asked for so far
}

// AddingOf adds up the days of a board as the board has them at present.
//
// A season that adds days up has true scores for rolled-up days, since the tie fractions of
// that many days would reach 1; the newest days are added as they are stored. If that went on
// after the season's end, equal totals would change places for some days, while the last days
// are rolled up one by one. So once the season is over, it is made from true scores only. From
// then on equal totals are ordered by player id, as in the archive.
func AddingOf(ru *Rollup, b game.Board) Adding {
	a := Adding{aggregate: b.Mode.Aggregate}
	a.floor = b.Period.Kind() == game.Season && a.aggregate == game.Sum && ru.db.Age(b.Period) >= game.Closed
	if b.Decays() {
		a.floor, a.decay, a.today = true, b.Mode.Decay, ru.db.Game.Today(ru.db.Now())
		a.unit, a.weights = a.decay.Unit(a.today), map[game.Date]float64{}
	}
	return a
}

// AddingUp adds up the days of a board as they are rolled up.
func AddingUp(ru *Rollup, b game.Board) Adding {
	a := AddingOf(ru, b)
	a.floor = b.Period.TrueScores() && b.Mode.Aggregate == game.Sum
	return a
}

// Day is what a day's entry adds. A date that has not begun by this process's clock counts as
// today.
func (a Adding) Day(d game.Date, stored float64) float64 {
	if a.floor {
		stored = math.Floor(stored)
	}
	if a.decay == nil {
		return stored
	}
	if d.After(a.today) {
		d = a.today
	}
	weight, known := a.weights[d]
	if !known {
		weight = a.decay.Weight(d)
		a.weights[d] = weight
	}
	return float64(stored * weight) // the conversion rounds, so that no addition is fused with it
}

// And is the sum with what a newer day adds.
func (a Adding) And(sum, day float64) float64 { return combined(a.aggregate, sum, day) }

// Shown is a sum as the board shows it. What was rolled up keeps the sum itself.
func (a Adding) Shown(sum float64) float64 {
	if a.decay == nil {
		return sum
	}
	return a.decay.Shown(float64(sum * a.unit))
}

// combined is what a player's entry becomes when a newer day is taken in.
func combined(a game.Aggregate, old, newer float64) float64 {
	switch a {
	case game.Max:
		return max(old, newer)
	case game.Min:
		return min(old, newer)
	case game.Last:
		return newer
	}
	return old + newer
}

// combineEntries combines an entry with one of a newer day, either of which may not be there.
func combineEntries(a game.Aggregate, all, newer redis.Place) redis.Place {
	switch {
	case !newer.Found:
		return all
	case !all.Found:
		return redis.Place{Stored: newer.Stored, Found: true}
	}
	return redis.Place{Stored: combined(a, all.Stored, newer.Stored), Found: true}
}

// AddTo combines what players have with what they have on a newer day.
func AddTo(all, newer map[string]float64, a game.Aggregate) {
	for player, stored := range newer {
		if old, had := all[player]; had {
			stored = combined(a, old, stored)
		}
		all[player] = stored
	}
}
