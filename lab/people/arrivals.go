package people

import (
	"iter"
	"math/rand/v2"
	"time"
)

// Evenly is when the player who arrives at a place, 0 to n-1, comes of n who come
// evenly in a span of time.
func Evenly(place, n int, span time.Duration) time.Duration {
	return time.Duration((float64(place) + 0.5) / float64(n) * float64(span))
}

// puzzleHours are how many of a thousand players of a puzzle that is new at midnight
// come in each hour of the day: half of them in the first three, the others most of
// all at noon and in the evening, the last before eleven.
var puzzleHours = [...]int{
	250, 150, 100,
	10, 8, 8, 12, 18, 22, 24, 28, 38, 46, 36, 24, 20, 20, 24, 34, 42, 40, 26, 20,
}

// OfPuzzle is when the player who arrives at a place, 0 to n-1, comes of n to whom
// midnight brings a puzzle: how long after it.
func OfPuzzle(place, n int) time.Duration {
	left := (float64(place) + 0.5) / float64(n) * 1000
	for hour, come := range puzzleHours {
		if left <= float64(come) {
			return time.Duration((float64(hour) + left/float64(come)) * float64(time.Hour))
		}
		left -= float64(come)
	}
	return time.Duration(len(puzzleHours)) * time.Hour
}

// Turn is the same as Evenly where a clock is moved in turns, of which it counts the number.
func Turn(place, n, turns int) int { return place * turns / n }

// How regulars play.
const (
	againShare = 4  // one play in so many is followed by another of the same mode
	lateShare  = 12 // one play in so many is sent in the grace after midnight
)

// Comes reports whether a regular plays on a day.
func (p Person) Comes(r *rand.Rand) bool { return r.Float64() < p.faith }

// Plays are the steps of a day, 0 to steps-1, at which a regular who has come plays
// a mode; the step after the last is the grace after midnight. Often there are none.
func (p Person) Plays(r *rand.Rand, steps int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if r.Float64() >= p.breadth {
			return
		}
		for step := nextStep(r, 0, steps); yield(step) && step < steps && r.IntN(againShare) == 0; {
			step = nextStep(r, step+1, steps)
		}
	}
}

// nextStep is a step from first on.
func nextStep(r *rand.Rand, first, steps int) int {
	if first >= steps || r.IntN(lateShare) == 0 {
		return steps
	}
	return first + r.IntN(steps-first)
}
