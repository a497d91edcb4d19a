package game

import "math"

// RacePlaces are the places of scores, 1-based, in the order of the scores: the best is first,
// and equal ones share a place. Nil is for a player who is out; all of these share the last
// place.
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

// raceGrain: each pair's change of rating is a whole multiple of it. Changes of up to 1,000
// for each of five players are then below 2^53 grains in whatever order they are added, so
// that their sum is exactly zero; and no change is off by more than 2^-41, less than the last
// digits of a rating.
const raceGrain = 1.0 / (1 << 40)

// RaceChanges is what a race does to ratings. Each two players move as in a duel that the
// better placed has won, or that was a draw. What is at stake between them is the average of
// what both have at stake, divided by the number of each player's opponents. So two players
// alone move as in a duel, and all changes add up to exactly zero.
//
// After Elo, The Rating of Chessplayers (1978). The script that decides a race computes the
// same; a test compares the two.
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
