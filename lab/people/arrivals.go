package people

import (
	"iter"
	"math/rand/v2"
	"time"
)

// Evenly is when the player at a place, 0 to n-1, arrives, if n players arrive evenly in a span
// of time.
func Evenly(place, n int, span time.Duration) time.Duration {
	return time.Duration((float64(place) + 0.5) / float64(n) * float64(span))
}

// puzzleHours is how many of a thousand players arrive in each hour, for a puzzle that is
// new at midnight. Half of them arrive in the first three hours; most of the others
// arrive around noon and in the evening, and the last before 23:00.
var puzzleHours = [...]int{
	250, 150, 100,
	10, 8, 8, 12, 18, 22, 24, 28, 38, 46, 36, 24, 20, 20, 24, 34, 42, 40, 26, 20,
}

// OfPuzzle is how long after midnight the player at a place, 0 to n-1, arrives, if n
// players play a puzzle that is new at midnight.
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

// Turn is Evenly for a clock that is moved in turns: it returns the number of the turn.
func Turn(place, n, turns int) int { return place * turns / n }

// How regulars play.
const (
	againShare = 4  // one play in so many is followed by another of the same mode
	lateShare  = 12 // one play in so many is sent in the grace after midnight
)

// Comes reports whether a regular plays on this day.
func (p Person) Comes(r *rand.Rand) bool { return r.Float64() < p.faith }

// Plays are the steps of a day, 0 to steps-1, in which a regular who has come plays one
// mode. Step steps is the grace after midnight. Often there are none.
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

// nextStep draws a step not before first.
func nextStep(r *rand.Rand, first, steps int) int {
	if first >= steps || r.IntN(lateShare) == 0 {
		return steps
	}
	return first + r.IntN(steps-first)
}
