package rollup

import (
	"math"

	"github.com/framedle/leaderboards/internal/game"
)

// Adding is how a player's days become their entry on a board: oldest first, each as it
// is stored, or the true score, or that with its weight where the board decays. Whoever
// makes an entry from days, rolls days up, or works out what a removal leaves, adds by
// it: the same days give the same number, to the last bit, however many of them were
// rolled up. It is for one goroutine.
type Adding struct {
	aggregate game.Aggregate
	floor     bool // true scores only
	decay     *game.DecayRule
	today     game.Date
	unit      float64               // of today
	weights   map[game.Date]float64 // that were asked for
}

// AddingOf is how the days of a board are added up at present.
func AddingOf(ru *Rollup, b game.Board) Adding {
	a := Adding{aggregate: b.Mode.Aggregate, floor: ru.Settles(b)}
	if b.Decays() {
		a.floor, a.decay, a.today = true, b.Mode.Decay, ru.db.Game.Today(ru.db.Now())
		a.unit, a.weights = a.decay.Unit(a.today), map[game.Date]float64{}
	}
	return a
}

// AddingUp is how the days of a board are added up into what was rolled up of them.
func AddingUp(ru *Rollup, b game.Board) Adding {
	a := AddingOf(ru, b)
	a.floor = b.Period.TrueScores() && b.Mode.Aggregate == game.Sum
	return a
}

// Day is what a day's entry adds. A date that has not come yet here counts as today.
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
	return float64(stored * weight) // rounded: nothing is fused with it
}

// And is what an entry becomes by what a newer day adds.
func (a Adding) And(sum, day float64) float64 { return Combined(a.aggregate, sum, day) }

// Shown is a sum as it stands on the board. What was rolled up stands as it is.
func (a Adding) Shown(sum float64) float64 {
	if a.decay == nil {
		return sum
	}
	return a.decay.Shown(float64(sum * a.unit))
}
