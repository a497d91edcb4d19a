package duelstore_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/duel/duelstore"
	"github.com/framedle/leaderboards/internal/game"
)

// A duel of a clock that is behind may say Sunday where the one before it said Monday; and
// what weeks have taken in between is in no duel.
func TestLastStandingsAreOfThePlayersLastWeek(t *testing.T) {
	a := open(t)
	sunday := time.Date(2026, 11, 22, 23, 59, 59, 0, time.UTC)
	var all []duel.Duel
	add := func(player string, at time.Time, before, after float64) {
		d := decided(fmt.Sprint("l", len(all)), 0, player, fmt.Sprint("other", len(all)), 0)
		d.DecidedAt, d.Ratings[0] = at, duel.RatingChange{Before: before, After: after, Rank: 1}
		d.Ratings[1] = duel.RatingChange{Before: 1000, After: 999.5, Rank: 2}
		all = append(all, d)
	}
	add("skewed", sunday.AddDate(0, 0, -70), 1000, 1600)
	add("skewed", sunday.Add(2*time.Second), 1550, 1560) // lost 50 meanwhile
	add("skewed", sunday, 1560, 1540)                    // after it
	add("grainy", sunday, 1000, 1000.3)
	require.NoError(t, duelstore.In(a).Put(ctx, all))
	rating := 1812.5
	require.NoError(t, duelstore.In(a).PutCarried(ctx, []game.DuelsCarried{{Player: "carried", Rating: &rating, Through: 149, XP: 3}, {Player: "skewed", Rating: &rating, Through: 7}}))
	got := map[string]game.DuelStanding{}
	require.NoError(t, duelstore.In(a).LastStandings(ctx, 1000, nil, func(page []game.DuelStanding) error {
		for _, s := range page {
			got[s.Player] = s
		}
		return nil
	}))
	require.Equal(t, game.DuelStanding{Player: "skewed", Rating: 1540, Last: sunday.Add(2 * time.Second), XP: 3 * 88, Through: 7}, got["skewed"])
	require.Equal(t, game.DuelStanding{Player: "carried", Rating: 1812.5, XP: 3, Through: 149}, got["carried"])
	require.Equal(t, math.Floor(1000.3*game.RatingUnits+0.5)/game.RatingUnits, got["grainy"].Rating)
	require.Equal(t, 999.5, got["other0"].Rating)
}
