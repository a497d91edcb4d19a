package duelreplay

import "github.com/framedle/leaderboards/lab/model"

// change is both ratings before and after a match.
type change struct{ before, after [2]float64 }

// compute is the plain computation: all matches, one after another.
func compute(h *History, e model.Elo) (final []float64, changes []change) {
	final = make([]float64, len(h.Teams))
	for i := range final {
		final[i] = e.Start
	}
	changes = make([]change, len(h.Matches))
	for i, m := range h.Matches {
		before := [2]float64{final[m.Teams[0]], final[m.Teams[1]]}
		changes[i] = change{before, e.After(before, m.result())}
		final[m.Teams[0]], final[m.Teams[1]] = changes[i].after[0], changes[i].after[1]
	}
	return final, changes
}

// successors returns, for each match, the matches that wait for it (at most one for each
// of its teams), and how many matches it waits for.
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
