package game_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

// lostByWeeks takes what each week costs off a rating, one week after another.
func lostByWeeks(rule game.RatingDecay, played, week int64, points float64) float64 {
	for idle := int64(1); played+idle < week; idle++ { // whole weeks that are over
		if idle > int64(rule.After) && points > float64(rule.Floor) {
			points = max(float64(rule.Floor), points-float64(rule.Points))
		}
	}
	return points
}

// Whenever losses are written down, ratings are what they are week by week. Entries of their
// board keep both the ratings and their order.
func TestRatingsLoseWhatTheirIdleWeeksCost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := game.RatingDecay{
			After: rapid.IntRange(0, 52).Draw(t, "after"), Points: rapid.Int64Range(1, 1000).Draw(t, "points"),
			Floor: rapid.Int64Range(0, 3000).Draw(t, "floor"),
		}
		rating := rapid.Custom(func(t *rapid.T) float64 {
			return float64(rapid.Int64Range(-500*game.RatingUnits, 100_000*game.RatingUnits).Draw(t, "units")) / game.RatingUnits
		})
		points, week := rating.Draw(t, "rating"), rapid.Int64Range(0, 3000).Draw(t, "played")
		of := rule.Leaves(points, week)
		require.Equal(t, of, game.RatingOf(of.Stored()), "all of it is in an entry")
		seen, written := week, of
		for range rapid.IntRange(0, 4).Draw(t, "looks") {
			seen += rapid.Int64Range(0, 60).Draw(t, "weeks later")
			want := lostByWeeks(rule, week, seen, points)
			require.Equal(t, want, rule.In(seen, of).Points, "as the duel left it")
			now := rule.In(seen, written)
			require.Equal(t, rule.In(seen, of), now, "as it was written down on the way")
			require.Equal(t, now, game.RatingOf(now.Stored()))
			require.Equal(t, now, rule.In(seen, now), "twice")
			if rapid.Bool().Draw(t, "written") {
				written = now
			}
		}
		other := game.Rating{Points: rating.Draw(t, "another"), Through: rapid.Int64Range(0, game.RatingWeeks-1).Draw(t, "through")}
		if other.Points != of.Points {
			require.Equal(t, other.Points < of.Points, other.Stored() < of.Stored(), "the board is in the order of ratings")
		}
		mode := game.Mode{Name: game.DuelMode}
		if math.Mod(other.Points, 1) != -0.5 { // which is rounded away from nothing
			require.Equal(t, mode.Decode(other.Points), mode.Decode(other.Stored()), "and shows them")
		}
	})
}

func TestWeeksOfRatingsBeginOnMonday(t *testing.T) {
	for at, want := range map[string]int64{
		"2023-12-25T00:00:00Z": 0, "2024-01-01T00:00:00Z": 0, "2024-01-07T23:59:59Z": 0, "2024-01-08T00:00:00Z": 1,
		"2026-11-22T23:59:59+02:00": 150, "2026-11-23T00:00:00Z": 151,
	} {
		moment, err := time.Parse(time.RFC3339, at)
		require.NoError(t, err)
		require.Equal(t, want, game.RatingWeek(moment), at)
	}
}

// Boards show ratings in whole points. A half is rounded away from zero, on both sides.
func TestHalfAPointOfARatingIsRoundedAwayFromZero(t *testing.T) {
	duels := game.Mode{Name: game.DuelMode}
	for rating, shown := range map[float64]game.Score{1016.5: 1017, 1017.5: 1018, 1016.4999: 1016, -0.5: -1, -1.5: -2, 0.5: 1} {
		require.Equal(t, shown, duels.Decode(rating), "%v", rating)
	}
}
