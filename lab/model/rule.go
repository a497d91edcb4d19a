package model

import (
	"math/bits"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

const day = 24 * time.Hour

// Rule is a mode as the model sees it.
//
// Equal scores are ordered by time in ticks. A stored score has 53 bits: first
// those of the largest total of a month, then 5 that stay empty, and what is
// left counts the ticks of a day's window.
type Rule struct {
	*game.Mode
	Tick   time.Duration // what one lasts
	Exact  bool          // whoever plays knows each play's tick, so that the order of all is known
	ticks  int64         // of a window; the first is 1, the last this
	window time.Duration // from a date's midnight to the end of its grace
	loose  int64         // how many ticks a play may be off
}

// exactTick is the shortest tick that a driver can hit: the product's clock
// moves a little with each reading while a step's plays are sent.
const exactTick = 300 * time.Millisecond

// jitter is how far the moment of a play may be from the step's.
const jitter = 500 * time.Millisecond

// NewRule is a mode's in a game with a grace, for plays that come by the clock.
func NewRule(m *game.Mode, grace time.Duration) Rule {
	largest := uint64(max(-m.DayMin, m.DayMin, m.DayMax, -m.DayMax))
	switch {
	case m.Aggregate == game.Sum:
		largest *= 31
	case m.Policy == game.Sum: // a play that is refused is added and taken back
		largest += uint64(max(-m.Min, m.Min, m.Max, -m.Max))
	}
	r := Rule{Mode: m, window: day + grace}
	r.ticks = 1<<(53-5-bits.Len64(largest)) - 1
	r.Tick = time.Duration((int64(r.window) + r.ticks - 1) / r.ticks)
	r.Exact = r.Tick >= exactTick
	r.loose = int64(jitter/r.Tick) + 1
	return r
}

// InTurns is a mode's rule where whoever plays counts the ticks, 1 to n. Equal
// scores of one tick may come in any order.
func InTurns(m *game.Mode, n int) Rule { return Rule{Mode: m, ticks: int64(n)} }

// TickOf counts the ticks of a date up to a moment.
func (r Rule) TickOf(d game.Date, at time.Time) int64 {
	since := min(max(at.Sub(d.Midnight()), 0), r.window)
	return min(1+int64(since/r.Tick), r.ticks)
}

// tie is what a tick weighs among equal scores, in units that may be added up:
// more is better on desc boards, less on asc boards.
func (r Rule) tie(tick int64) int64 {
	if r.Order == game.Asc {
		return tick
	}
	return r.ticks + 1 - tick
}

// slack is how much the ties of two entries may differ and still come out in
// either order, when each is made of up to n plays; below 0 where not even equal
// ones may.
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
