package game_test

import (
	"math"
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

func TestALevelBeginsAtTheXPThatReachesIt(t *testing.T) {
	curve := game.LevelCurve{Base: 50}
	require.Equal(t, []int64{0, 50, 200, 1250}, []int64{curve.XP(0), curve.XP(1), curve.XP(2), curve.XP(5)})
	require.EqualValues(t, math.MaxInt64, game.LevelCurve{Base: 1}.XP(3_037_000_500), "no more can be told")
	rapid.Check(t, func(t *rapid.T) {
		curve := game.LevelCurve{Base: rapid.Int64Range(1, 1_000_000_000).Draw(t, "base")}
		level := rapid.Int64Range(1, 4_000_000_000).Draw(t, "level")
		if xp := curve.XP(level); xp < math.MaxInt64 {
			require.Equal(t, level, curve.Level(xp))
			require.Equal(t, level-1, curve.Level(xp-1))
		}
	})
}
