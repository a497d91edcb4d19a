package racestore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/duel/duelstore"
	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/feature/race/racestore"
	"github.com/framedle/leaderboards/internal/game"
)

// Ratings are what duels and races have made of them together.
func TestRacesCountInWhereDuelsLeaveTheirPlayers(t *testing.T) {
	a := open(t)
	first := raced("r1", 0, "p", "q", "r")
	expired := raced("r2", 5, "p", "q", "r")
	expired.State = race.Expired
	for i := range expired.Seats {
		expired.Seats[i].Place, expired.Seats[i].Rating = 0, race.RatingChange{}
	}
	d := duel.Duel{
		ID: "d1", State: duel.Decided, Players: [2]string{"p", "new"}, Mode: "daily", CreatedAt: noon.Add(9 * time.Minute), K: 32,
		Outcome: &duel.Outcome{}, By: duel.ByServer, DecidedAt: noon.Add(9*time.Minute + time.Second),
	}
	d.Ratings = [2]duel.RatingChange{{Before: first.Seats[0].Rating.After, After: 1031.5}, {Before: 1000, After: 979}}
	require.NoError(t, racestore.In(a).Put(ctx, []race.Race{first, expired}))
	require.NoError(t, duelstore.In(a).Put(ctx, []duel.Duel{d}))
	ratings := map[string]float64{}
	require.NoError(t, duelstore.In(a).Standings(ctx, 1000, nil, func(page []game.DuelStanding) error {
		for _, s := range page {
			ratings[s.Player] = s.Rating
		}
		return nil
	}))
	require.Equal(t, map[string]float64{"p": 1031.5, "q": 995, "r": 994.9, "new": 979}, ratings)
	begun := map[string]int64{}
	require.NoError(t, duelstore.In(a).EachBegun(ctx, func(page []game.DuelsBegun) error {
		for _, b := range page {
			begun[b.Player] = b.Duels
		}
		return nil
	}))
	require.Equal(t, map[string]int64{"p": 3, "q": 2, "r": 2, "new": 1}, begun)
}
