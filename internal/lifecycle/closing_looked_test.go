package lifecycle_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// The closing of a day does not make boards that nobody has looked at, if they can be made at
// any time: they would take Redis' memory, and commands each day. It makes weeks, and boards
// that somebody has looked at once.
func TestAClosingMakesWhatSomebodyHasLookedAt(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		const mode = "first"
		there := func(b game.Board) bool { return k.redis.Do("EXISTS", b.Key) == int64(1) }
		board := func(kind game.PeriodKind) game.Board {
			return game.BoardOf(k.mode(mode), kind.Of(k.today()), game.Scope{})
		}
		p := k.process()
		day := func(score game.Score) {
			k.ownPlay(t, mode, "p1", score)
			k.clock.Set(k.clock.Now().AddDate(0, 0, 1))
			_, err := runDaily(t.Context(), p, nil)
			require.NoError(t, err)
		}
		day(3)
		require.True(t, there(board(game.Week)))
		require.False(t, there(board(game.Month)))
		require.False(t, there(board(game.AllTime)))

		require.Len(t, wholeBoard(t, p, board(game.Month), 10), 1)
		require.True(t, there(board(game.Month)))
		require.Len(t, wholeBoard(t, p, board(game.AllTime), 10), 1)

		day(4) // and nobody looks before it closes
		for _, kind := range []game.PeriodKind{game.Week, game.Month, game.AllTime} {
			stored, err := strconv.ParseFloat(k.redis.Do("ZSCORE", board(kind).Key, "p1").(string), 64)
			require.NoError(t, err)
			require.Equal(t, game.Score(7), k.mode(mode).Decode(stored), board(kind).Key)
		}
	})
}
