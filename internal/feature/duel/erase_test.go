package duel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
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

// Challenges that the player does not see because of a block have the player too: those that
// were made after the block, and those that left the player's list when it was read.
func TestAnErasedPlayerIsInNoUnseenDuel(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		var unseen []duel.Duel
		challenge := func() {
			d, err := k.Challenge(ctx, "blocked", "blocker", "daily")
			require.NoError(t, err)
			unseen = append(unseen, d)
		}
		k.ready(t, "over", "blocked", "blocker")
		_, err := k.Report(ctx, "over", duel.Result{Winner: "blocked"})
		require.NoError(t, err)
		challenge() // seen at first
		k.keepApart("blocker", "blocked")
		listed, err := k.Of(ctx, "blocker", duel.Mark{}, 5)
		require.NoError(t, err)
		require.Len(t, listed, 1)
		challenge()
		d, err := k.Rematch(ctx, "over", "blocked")
		require.NoError(t, err)
		unseen = append(unseen, d)
		for range 2 {
			require.NoError(t, k.Erase(ctx, "blocker"))
			for _, d := range unseen {
				d, err := k.See(ctx, d.ID, "blocked")
				require.NoError(t, err)
				require.Equal(t, [2]string{"blocked", duel.Erased}, d.Players)
				require.Equal(t, duel.Expired, d.State)
			}
		}
		keys, err := k.redis.Server.Redis().Do(ctx, "KEYS", "*blocker*")
		require.NoError(t, err)
		require.Empty(t, keys)
	})
}
