package game

import (
	"math"
	"math/bits"
	"strconv"
	"time"
)

// A stored score is a float64: the scaled score plus a tie fraction above 0 and below 1/32,
// which puts an earlier play before a later one.
//
// A float64 holds 53 bits exactly. The largest total of a month takes the
// upper ones; then come 5 that are always 0 in a day's fraction, so that 31
// fractions add up to less than 1 and leave the whole part alone; the rest
// counts ticks of time. All sums of a month's days are exact.
const (
	mantissaBits = 53
	headroomBits = 5  // 2^5 is more than 31
	longestMonth = 31 // days
	coarsestTick = time.Second
)

// largest is the greatest magnitude that a board of the mode can have for a month: 31 days'
// worth if the days are added up. A day's total may for a moment be out of its bounds by
// one play, until that is taken back.
func largest(m *Mode) (magnitude uint64, fits bool) {
	day := max(magnitudeOf(m.DayMin), magnitudeOf(m.DayMax))
	switch {
	case m.Aggregate != Sum && m.Policy != Sum:
		return day, true
	case m.Aggregate != Sum:
		play := max(magnitudeOf(m.Min), magnitudeOf(m.Max))
		return day + play, day+play >= day
	}
	high, low := bits.Mul64(day, longestMonth)
	return low, high == 0
}

// setResolution spreads over a day's window the ticks that the mode's bounds leave. It sets 0
// bits if the bounds leave none.
func setResolution(m *Mode, window time.Duration) {
	m.fractionBits, m.resolution = 0, window
	most, fits := largest(m)
	left := mantissaBits - headroomBits - bits.Len64(most)
	if !fits || left < 1 {
		return
	}
	m.fractionBits = left
	ticks := lastTick(m)
	m.resolution = time.Duration((int64(window) + ticks - 1) / ticks)
}

// lastTick is the largest tick. Ticks count from 1, so no fraction is 0: a
// score without one is recognizable.
func lastTick(m *Mode) int64 { return 1<<m.fractionBits - 1 }

// wholeBits are the bits that a window leaves for the whole part of a score, if
// ticks are of a second.
func wholeBits(window time.Duration) int {
	seconds := uint64((window + coarsestTick - 1) / coarsestTick)
	return mantissaBits - headroomBits - bits.Len64(seconds)
}

// largestBound is the greatest magnitude of a day's score with which a window
// still has ticks of a second.
func largestBound(m *Mode, window time.Duration) Score {
	bound := uint64(1)<<wholeBits(window) - 1
	switch {
	case m.Aggregate == Sum:
		bound /= longestMonth
	case m.Policy == Sum:
		bound /= 2
	}
	return Score(bound)
}

// Resolution is the least time between two equal scores at which their order is sure: at most a
// second.
func (m *Mode) Resolution() time.Duration { return m.resolution }

// Tick counts how late a moment is in the day's window (from Opens to the end of the grace),
// in units of Resolution from 1. A moment outside counts as the nearest one inside.
func (m *Mode) Tick(g *Game, d Date, at time.Time) int64 {
	since := min(max(at.Sub(g.Opens(d)), 0), g.Day.window(g.Grace))
	return min(1+int64(since/m.resolution), lastTick(m))
}

// Fraction is what a tick adds to a score: above 0, below 1/32, and the better the earlier, so
// larger on desc boards and smaller on asc boards. A tick out of range counts as the nearest
// one in range.
func (m *Mode) Fraction(tick int64) float64 {
	tick = min(max(tick, 1), lastTick(m))
	if m.Order == Desc {
		tick = lastTick(m) + 1 - tick
	}
	return math.Ldexp(float64(tick), -(m.fractionBits + headroomBits))
}

// PlayedBefore is the inverse of Tick: the end of the tick that a stored entry of d
// was played in, by its tie fraction. It is at most Resolution after the moment of a
// play in the day's window.
func (m *Mode) PlayedBefore(g *Game, d Date, stored float64) time.Time {
	tick := int64(math.Round(math.Ldexp(Fraction(m, stored), m.fractionBits+headroomBits)))
	if m.Order == Desc {
		tick = lastTick(m) + 1 - tick
	}
	return g.Opens(d).Add(time.Duration(tick) * m.resolution)
}

// Encode is the stored form of a score made at a tick. It is exact for every
// score from DayMin to DayMax, and so is the sum of up to 31 of them.
func (m *Mode) Encode(s Score, tick int64) float64 { return float64(s) + m.Fraction(tick) }

// Stored is the stored score of a submission alone.
func (s Submission) Stored(g *Game) float64 {
	return s.Mode.Encode(s.Score, s.Mode.Tick(g, s.Date, s.At))
}

// Decode is the true score in a stored one, or in the sum of up to 31 stored
// ones: the whole part below it. A duel rating has no tie fraction and is rounded.
func (m *Mode) Decode(stored float64) Score {
	if m.Name == DuelMode {
		return Score(math.Round(stored))
	}
	return TrueScore(stored)
}

// TrueScore is a stored score without its tie fraction, which is below 1.
func TrueScore(stored float64) Score { return Score(math.Floor(stored)) }

// Fraction is the part of a stored score beside the true score. It orders ties.
func Fraction(m *Mode, stored float64) float64 { return stored - float64(m.Decode(stored)) }

// FormatStored is the text of a stored score with the fewest digits that
// still parse back to the same float64. Redis must be given this text: its
// own scripts print 14 digits only.
func FormatStored(f float64) string {
	if magnitude := math.Abs(f); magnitude != 0 && magnitude < 1e-5 {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// Replaces reports whether a stored score replaces the one that the player has, by the mode's
// policy. Under latest the tie fraction says which of them is newer; under sum nothing is
// replaced.
func (m *Mode) Replaces(current, stored float64) bool {
	switch {
	case m.Policy == Best && m.Order == Asc:
		return stored < current
	case m.Policy == Best:
		return stored > current
	case m.Policy == Latest && m.Order == Asc:
		return Fraction(m, stored) > Fraction(m, current)
	case m.Policy == Latest:
		return Fraction(m, stored) < Fraction(m, current)
	}
	return false
}
