package soak

import (
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// rule is a mode as the model sees it.
//
// Equal scores are ordered by time in ticks. A stored score has 53 bits: first
// those of the largest total of a month, then 5 that stay empty, and what is
// left counts the ticks of a day's window.
type rule struct {
	*game.Mode
	ticks  int64         // of a window; the first is 1, the last this
	tick   time.Duration // what one lasts
	exact  bool          // ticks are so long that the driver knows each play's
	window time.Duration // from a date's midnight to the end of its grace
	grace  time.Duration
}

// exactTick is the shortest tick that the driver can hit: the product's clock
// moves a little with each reading while a step's plays are sent.
const exactTick = 300 * time.Millisecond

// jitter is how far the moment of a play may be from the step's.
const jitter = 500 * time.Millisecond

func newRule(m *game.Mode, grace time.Duration) rule {
	largest := uint64(max(-m.DayMin, m.DayMin, m.DayMax, -m.DayMax))
	switch {
	case m.Aggregate == game.Sum:
		largest *= 31
	case m.Policy == game.Sum: // a play that is refused is added and taken back
		largest += uint64(max(-m.Min, m.Min, m.Max, -m.Max))
	}
	r := rule{Mode: m, window: day + grace, grace: grace}
	r.ticks = 1<<(53-5-bits.Len64(largest)) - 1
	r.tick = time.Duration((int64(r.window) + r.ticks - 1) / r.ticks)
	r.exact = r.tick >= exactTick
	return r
}

// tickOf counts the ticks of a date up to a moment.
func (r rule) tickOf(d game.Date, at time.Time) int64 {
	since := min(max(at.Sub(d.Midnight()), 0), r.window)
	return min(1+int64(since/r.tick), r.ticks)
}

// tie is what a tick weighs among equal scores, in units that may be added up:
// more is better on desc boards, less on asc boards.
func (r rule) tie(tick int64) int64 {
	if r.Order == game.Asc {
		return tick
	}
	return r.ticks + 1 - tick
}

// slack is how much the ties of two entries may differ and still come out in
// either order, when each is made of up to n plays.
func (r rule) slack(n int) int64 {
	if r.exact {
		return 0
	}
	return int64(n) * (int64(jitter/r.tick) + 1)
}

// ahead reports whether a leads b.
func (r rule) ahead(a, b int64) bool {
	if r.Order == game.Asc {
		return a < b
	}
	return a > b
}

// scaled reads a decimal of the API exactly. It is false for what is no score
// of the mode's form.
func scaled(text string, decimals int) (int64, bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	if len(fraction) > decimals {
		return 0, false
	}
	n, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", decimals-len(fraction)), 10, 64)
	return n, err == nil
}

// written is the inverse of scaled.
func written(score int64, decimals int) string {
	sign := ""
	if score < 0 {
		sign, score = "-", -score
	}
	digits := strconv.FormatInt(score, 10)
	if decimals == 0 {
		return sign + digits
	}
	digits = strings.Repeat("0", max(0, decimals+1-len(digits))) + digits
	cut := len(digits) - decimals
	return strings.TrimRight(strings.TrimRight(sign+digits[:cut]+"."+digits[cut:], "0"), ".")
}
