package model

import (
	"math/bits"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

const day = 24 * time.Hour

// Rule is a mode as the model sees it.
//
// Equal scores are ordered by time, counted in ticks. A stored score has 53 bits: first
// the bits of the largest total of a month, then 5 that stay empty. The remaining bits
// count the ticks of a day's window.
type Rule struct {
	*game.Mode
	Tick   time.Duration // length of a tick
	Exact  bool          // the scenario knows the tick of each play, so the order of all plays is certain
	ticks  int64         // number of ticks in a window, counted from 1
	window time.Duration // from a date's midnight to the end of its grace
	loose  int64         // how many ticks a play may be earlier or later than the scenario knows
}

// exactTick is the shortest tick for which a scenario can choose the tick of a play: the
// product's clock moves a little with each reading while the plays of a step are sent.
const exactTick = 300 * time.Millisecond

// jitter is how far the time of a play may be from the time of its step.
const jitter = 500 * time.Millisecond

// NewRule makes the rule of a mode, in a game with this grace, for plays that are ordered
// by the clock.
func NewRule(m *game.Mode, grace time.Duration) Rule {
	largest := uint64(max(-m.DayMin, m.DayMin, m.DayMax, -m.DayMax))
	switch {
	case m.Aggregate == game.Sum:
		largest *= 31
	case m.Policy == game.Sum: // the product adds a play before it refuses it, and subtracts it again
		largest += uint64(max(-m.Min, m.Min, m.Max, -m.Max))
	}
	r := Rule{Mode: m, window: day + grace}
	r.ticks = 1<<(53-5-bits.Len64(largest)) - 1
	r.Tick = time.Duration((int64(r.window) + r.ticks - 1) / r.ticks)
	r.Exact = r.Tick >= exactTick
	r.loose = int64(jitter/r.Tick) + 1
	return r
}

// InTurns makes the rule of a mode in which the scenario counts the ticks, 1 to n. Equal
// scores of one tick may come in any order.
func InTurns(m *game.Mode, n int) Rule { return Rule{Mode: m, ticks: int64(n)} }

// TickOf is the number of the tick of a date at a moment.
func (r Rule) TickOf(d game.Date, at time.Time) int64 {
	since := min(max(at.Sub(d.Midnight()), 0), r.window)
	return min(1+int64(since/r.Tick), r.ticks)
}

// tie is the weight of a tick among equal scores, in units that can be added up: higher
// is better on desc boards, lower on asc boards.
func (r Rule) tie(tick int64) int64 {
	if r.Order == game.Asc {
		return tick
	}
	return r.ticks + 1 - tick
}

// slack is the largest difference between the ties of two entries at which they may come
// in either order. n is how many plays each of them combines at most. Below 0 not even
// equal ties may.
func (r Rule) slack(n int) int64 {
	if r.Exact {
		return -1
	}
	return int64(n) * r.loose
}

// ahead reports whether a leads b.
func (r Rule) ahead(a, b int64) bool {
	if r.Order == game.Asc {
		return a < b
	}
	return a > b
}
