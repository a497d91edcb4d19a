package race_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/game"
)

func reported(scores ...int) []*game.Score {
	all := make([]*game.Score, len(scores))
	for i, n := range scores {
		if s := game.Score(n); n >= 0 {
			all[i] = &s
		}
	}
	return all
}

func TestPlacesOfARace(t *testing.T) {
	const out = -1
	desc, asc := &game.Mode{Order: game.Desc}, &game.Mode{Order: game.Asc}
	for name, c := range map[string]struct {
		mode   *game.Mode
		scores []*game.Score
		places []int
	}{
		"the best first":                  {desc, reported(5, 9, 7), []int{3, 1, 2}},
		"the least first":                 {asc, reported(5, 9, 7), []int{1, 3, 2}},
		"equal ones share a place":        {desc, reported(5, 9, 9, 4), []int{3, 1, 1, 4}},
		"who is out comes last":           {asc, reported(out, 9), []int{2, 1}},
		"several who are out share it":    {desc, reported(out, 0, out), []int{2, 1, 2}},
		"all are out":                     {desc, reported(out, out), []int{1, 1}},
		"nothing scored is not being out": {desc, reported(0, out), []int{1, 2}},
		"no seats":                        {desc, nil, []int{}},
	} {
		require.Equal(t, c.places, race.Places(c.mode, c.scores), name)
	}
}

// rated are players with places, ratings and what they have at stake.
func rated(t *rapid.T, least int) (places []int, ratings, k []float64) {
	n := rapid.IntRange(least, race.MaxRacers).Draw(t, "players")
	mode := &game.Mode{Order: game.Desc}
	places = race.Places(mode, reported(rapid.SliceOfN(rapid.IntRange(-1, 3), n, n).Draw(t, "scores")...))
	ratings = rapid.SliceOfN(rapid.Float64Range(-5000, 100_000), n, n).Draw(t, "ratings")
	return places, ratings, rapid.SliceOfN(rapid.Float64Range(1, 1000), n, n).Draw(t, "k")
}

// The sum is zero in whatever order the changes are added, to the last bit.
func TestChangesOfARaceAddUpToZeroExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places, ratings, k := rated(t, 2)
		changes := race.Changes(duel.DefaultRules(), places, ratings, k)
		sum := 0.0
		for _, change := range rapid.Permutation(changes).Draw(t, "changes") {
			sum += change
		}
		require.Zero(t, sum)
	})
}

func TestTwoRacersMoveAsInADuel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := duel.DefaultRules()
		a, b := rapid.Float64Range(0, 5000).Draw(t, "a"), rapid.Float64Range(0, 5000).Draw(t, "b")
		for outcome, places := range map[float64][]int{1: {1, 2}, 0: {2, 1}, 0.5: {1, 1}} {
			changes := race.Changes(rules, places, []float64{a, b}, []float64{rules.K, rules.K})
			require.InDelta(t, rules.K*(outcome-1/(1+math.Pow(10, (b-a)/rules.Scale))), changes[0], 1e-12)
			require.Equal(t, -changes[0], changes[1])
		}
	})
}

func TestNobodyMovesByMoreThanIsAtStake(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places, ratings, k := rated(t, 2)
		most := 0.0
		for _, stake := range k {
			most = max(most, stake)
		}
		for i, change := range race.Changes(duel.DefaultRules(), places, ratings, k) {
			require.LessOrEqual(t, math.Abs(change), most+1e-9)
			if places[i] == 1 {
				require.GreaterOrEqual(t, change, -most/2-1e-9, "at worst drawn with everybody")
			}
		}
	})
}

func TestEqualRacersOfEqualRatingStayWhereTheyAre(t *testing.T) {
	rules := duel.DefaultRules()
	require.Equal(t, []float64{0, 0, 0}, race.Changes(rules, []int{1, 1, 1}, []float64{1000, 1000, 1000}, []float64{32, 32, 32}))
	require.Equal(t, []float64{16, 8, 0, -8, -16},
		race.Changes(rules, []int{1, 2, 3, 4, 5}, []float64{1000, 1000, 1000, 1000, 1000}, []float64{32, 32, 32, 32, 32}))
}
