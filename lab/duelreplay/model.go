package duelreplay

import "math"

// Elo are the constants of the ratings.
type Elo struct{ K, Start, Scale float64 }

// change is what a match did to both ratings.
type change struct{ before, after [2]float64 }

// compute is the plain computation: all matches one after another, each
// expectation by the formula as it is written down.
func compute(h *History, e Elo) (final []float64, changes []change) {
	final = make([]float64, len(h.Teams))
	for i := range final {
		final[i] = e.Start
	}
	changes = make([]change, len(h.Matches))
	for i, m := range h.Matches {
		c := change{before: [2]float64{final[m.Teams[0]], final[m.Teams[1]]}}
		results := [2]float64{m.result(), 1 - m.result()}
		for side := range 2 {
			mine, other := c.before[side], c.before[1-side]
			expected := 1 / (1 + math.Pow(10, (other-mine)/e.Scale))
			c.after[side] = mine + e.K*(results[side]-expected)
		}
		final[m.Teams[0]], final[m.Teams[1]] = c.after[0], c.after[1]
		changes[i] = c
	}
	return final, changes
}

// successors are the matches that wait for each one, at most one for either
// team, and how many each waits for itself.
func successors(h *History) (next [][]int, waits []int32) {
	next, waits = make([][]int, len(h.Matches)), make([]int32, len(h.Matches))
	last := make([]int, len(h.Teams))
	for i := range last {
		last[i] = -1
	}
	for i, m := range h.Matches {
		for _, team := range m.Teams {
			if before := last[team]; before >= 0 {
				next[before] = append(next[before], i)
				waits[i]++
			}
			last[team] = i
		}
	}
	return next, waits
}
