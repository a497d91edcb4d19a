package lifecycle_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// In a game without streaks nothing notes that a day was played, and older records stay as
// they are until their player is erased.
func TestStreaksThatAreOffAreLeftAsTheyAre(t *testing.T) {
	const modes = "name: testing\nmodes:\n  a: {max: 100}\n  b: {max: 100}\n"
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		shelf := newShelf()
		past := func(_ context.Context, player string) (*lifecycle.ArchivedPlayer, error) {
			return shelf.of(player), nil
		}
		play := func(player string) {
			_, err := k.process().Boards.Submit(ctx, k.play("a", player, 5))
			require.NoError(t, err)
		}
		next := func() {
			k.clock.Set(k.clock.Now().Add(24 * time.Hour))
			_, err := runDaily(ctx, k.process(), shelf)
			require.NoError(t, err)
		}
		streaks := func() any {
			all, err := k.server.Redis().Do(ctx, "HGETALL", game.StreaksKey)
			require.NoError(t, err)
			return all
		}
		k.clock.Set(noon)
		k.game = loadGame(t, modes)
		play("ana")
		next()
		before := streaks()
		require.Len(t, before, 2)

		k.game = loadGame(t, "streak: off\n"+modes)
		play("ana")
		play("ben")
		play("d:phone")
		next()
		today := k.game.Today(k.clock.Now())
		_, err := k.process().Repair.RemoveScore(ctx, k.mode("a"), today.AddDays(-1), "ana", shelf.of("ana"))
		require.NoError(t, err)
		_, err = k.process().Repair.Claim(ctx, "d:phone", "ben", past)
		require.NoError(t, err)
		require.Equal(t, before, streaks())
		me, err := k.process().Boards.Me(ctx, "ben", nil)
		require.NoError(t, err)
		require.Zero(t, me.Streak)
		me, err = k.process().Boards.Me(ctx, "ana", nil)
		require.NoError(t, err)
		require.Equal(t, 1, me.Streak.Best, "as it was left")
		_, err = k.process().Repair.Erase(ctx, "ana", lifecycle.Erasure{})
		require.NoError(t, err)
		require.Empty(t, streaks())
	})
}
