package game_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

func TestLevelIsTheLargestWhoseXPIsReached(t *testing.T) {
	curve := game.LevelCurve{Base: 50}
	for _, c := range []struct{ xp, level int64 }{
		{-1, 0}, {0, 0}, {49, 0}, {50, 1}, {199, 1}, {200, 2}, {449, 2}, {450, 3}, {4999, 9}, {5000, 10},
	} {
		require.Equal(t, c.level, curve.Level(c.xp), "%d XP", c.xp)
	}
	require.EqualValues(t, 3_037_000_498, game.LevelCurve{Base: 1}.Level(3_037_000_499*3_037_000_499-1))
	require.EqualValues(t, 3_037_000_499, game.LevelCurve{Base: 1}.Level(3_037_000_499*3_037_000_499))
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.OneOf(rapid.Just(int64(1)), rapid.Int64Range(1, 1_000_000_000)).Draw(t, "base")
		xp := rapid.OneOf(rapid.Int64Min(0), rapid.Custom(func(t *rapid.T) int64 {
			n := rapid.Int64Range(1, 3_037_000_499).Draw(t, "level")
			return n*n - rapid.Int64Range(0, 1).Draw(t, "short by")
		})).Draw(t, "xp")
		n := game.LevelCurve{Base: base}.Level(xp)
		needs := func(n int64) *big.Int {
			level := big.NewInt(n)
			return level.Mul(level, level).Mul(level, big.NewInt(base))
		}
		require.LessOrEqual(t, needs(n).Cmp(big.NewInt(xp)), 0)
		require.Positive(t, needs(n+1).Cmp(big.NewInt(xp)))
	})
}
