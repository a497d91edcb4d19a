package game

import "math"

// RacePlaces are the places of scores, 1-based, in the order in which they are
// given: the best first, equal ones sharing a place. Nil is who is out; they come
// last, and share that.
func (m *Mode) RacePlaces(scores []*Score) []int {
	places := make([]int, len(scores))
	for i := range scores {
		places[i] = 1
		for j := range scores {
			if m.ahead(scores[j], scores[i]) {
				places[i]++
			}
		}
	}
	return places
}

func (m *Mode) ahead(a, b *Score) bool {
	switch {
	case a == nil || b == nil:
		return a != nil && b == nil
	case m.Order == Asc:
		return *a < *b
	}
	return *a > *b
}

// raceGrain is what a pair's change of rating is a whole multiple of. Changes of
// up to 1,000 for each of five players are then below 2^53 grains however they
// are added, so that they add up to nothing exactly; and no change is off by more
// than 2^-41, less than the last digits of a rating.
const raceGrain = 1.0 / (1 << 40)

// RaceChanges is what a race does to ratings: each two players move as in a duel
// that the better placed has won, or both have drawn, for what both have at
// stake on average, shared out among as many others as each has. So two players
// move as in a duel, and all changes add up to zero exactly.
//
// After Elo, The Rating of Chessplayers (1978). The script that decides a race
// computes the same; a test holds the two against each other.
func (d Duels) RaceChanges(places []int, ratings, k []float64) []float64 {
	changes := make([]float64, len(places))
	for i := range places {
		for j := i + 1; j < len(places); j++ {
			won := 0.5
			if places[i] != places[j] {
				won = 0
				if places[i] < places[j] {
					won = 1
				}
			}
			expected := 1 / (1 + math.Pow(10, (ratings[j]-ratings[i])/d.Scale))
			stake := (k[i]/2 + k[j]/2) / float64(len(places)-1)
			change := math.Floor(stake*(won-expected)/raceGrain+0.5) * raceGrain
			if d.Decay != nil {
				change = math.Floor(change*RatingUnits+0.5) / RatingUnits
			}
			changes[i] += change
			changes[j] -= change
		}
	}
	return changes
}
