package model

import "math"

// Elo are the constants of the ratings.
type Elo struct{ K, Start, Scale float64 }

// After computes both ratings after a duel, by the published Elo formula. The result is 1
// if the first player won, 0.5 for a draw, 0 if the first player lost.
func (e Elo) After(before [2]float64, result float64) (after [2]float64) {
	for side, got := range [2]float64{result, 1 - result} {
		mine, other := before[side], before[1-side]
		expected := 1 / (1 + math.Pow(10, (other-mine)/e.Scale))
		after[side] = mine + e.K*(got-expected)
	}
	return after
}
