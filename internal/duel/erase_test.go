package duel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/game"
)

func TestAnErasedPlayerIsInNoDuel(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		k.ready(t, "over", "a", "b")
		_, err := k.Report(ctx, "over", duel.Result{Winner: "a"})
		require.NoError(t, err)
		k.ready(t, "under way", "b", "a")
		_, _, err = k.Queue().Join(ctx, "a", "daily")
		require.NoError(t, err)
		for range 2 {
			require.NoError(t, k.Erase(ctx, "a"))
		}
		_, err = k.Report(ctx, "under way", duel.Result{Player: "b", Winner: "b"})
		require.ErrorIs(t, err, duel.ErrOver)
		d, err := k.Duel(ctx, "over")
		require.NoError(t, err)
		require.Equal(t, [2]string{duel.Erased, "b"}, d.Players)
		require.Equal(t, 984.0, d.Ratings[1].After)
		keys, err := k.redis.Server.Redis().Do(ctx, "KEYS", "*")
		require.NoError(t, err)
		require.NotContains(t, keys, game.DuelsOfKey("a"))
		found, place, err := k.Queue().Join(ctx, "c", "daily")
		require.NoError(t, err)
		require.Empty(t, found.ID)
		require.Equal(t, 1000.0, place.Rating)
	})
}
