package closing_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

// TestLevelsOfAnOpenDayComeBackFromTheOutbox lets players play on after the loss: under the
// policy first, a level's first play stands, although this Redis already had a later one.
func TestLevelsOfAnOpenDayComeBackFromTheOutbox(t *testing.T) {
	onEngines(t, func(k *kit) {
		k.game.Outbox = true
		ctx, t := context.Background(), k.t
		d := monday.AddDays(2)
		k.at(d, 9, 0)
		of := func() map[string]map[string]float64 {
			all := map[string]map[string]float64{}
			for _, m := range k.game.Modes {
				for n := 1; n <= m.Levels; n++ {
					scope, err := game.LevelScope(n)
					require.NoError(t, err)
					key := game.BoardKey(m.Name, game.Day.Of(d), scope)
					all[key], err = k.process().Store.DB.ReadBoard(ctx, key)
					require.NoError(t, err)
				}
			}
			return all
		}
		play := func(from, to int) {
			for n := from; n < to; n++ {
				for _, mode := range []string{"first", "fastest"} {
					k.play(mode, []string{"a", "b", "c"}[n*7%3], d, game.Score(1+(n*17)%45))
				}
			}
		}
		play(0, 12)
		_, err := k.process().Save(ctx)
		require.NoError(t, err)
		keys := k.keys
		play(12, 18)
		want := of() // as if nothing had been lost
		require.Len(t, want, 5)
		_, err = k.server.Redis().Do(ctx, "FLUSHALL")
		require.NoError(t, err)
		k.keys = keys
		play(12, 18)
		_, err = k.process().Restore(ctx, closing.RestoreOptions{})
		require.NoError(t, err)
		require.Equal(t, want, of())

		// A single lost board comes back from all kept plays.
		_, err = k.process().Save(ctx)
		require.NoError(t, err)
		for _, mode := range []string{"first", "fastest"} {
			key := game.DayBoardKey(mode, d)
			_, err = k.server.Redis().Do(ctx, "DEL", key)
			require.NoError(t, err)
			for n := 1; n <= k.mode(mode).Levels; n++ {
				scope, _ := game.LevelScope(n)
				_, err = k.server.Redis().Do(ctx, "DEL", game.BoardKey(mode, game.Day.Of(d), scope))
				require.NoError(t, err)
			}
			_, err := k.process().Return(ctx, []string{key})
			require.NoError(t, err)
		}
		require.Equal(t, want, of())
	})
}
