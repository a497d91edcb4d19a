package game_test

import (
	"math/big"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

func TestPercentileIsTheShareAtOrBelow(t *testing.T) {
	for _, c := range []struct {
		rank, total     int64
		percentile, top float64
	}{
		{1, 1, 100, 100},
		{1, 4, 100, 25},
		{2, 4, 75, 50},
		{4, 4, 25, 100},
		{12, 3456, 99.68, 0.35},
		{1, 3, 100, 33.33},
		{2, 3, 66.67, 66.67},
		{3, 3, 33.33, 100},
		{2, 1_000_000, 100, 0},
		{0, 4, 100, 25},
		{9, 4, 25, 100},
		{1, 0, 0, 0},
		{1, -1, 0, 0},
	} {
		require.Equal(t, c.percentile, game.Percentile(c.rank, c.total), "%d of %d", c.rank, c.total)
		require.Equal(t, c.top, game.TopPercent(c.rank, c.total), "%d of %d", c.rank, c.total)
	}
}

func TestPercentagesAreExactlyRounded(t *testing.T) {
	rounded := func(part, total int64) float64 {
		percent := big.NewRat(100*part, total)
		f, err := strconv.ParseFloat(percent.FloatString(2), 64)
		require.NoError(t, err)
		return f
	}
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.OneOf(rapid.Int64Range(1, 500), rapid.Int64Range(1, 1<<47)).Draw(t, "total")
		rank := rapid.Int64Range(1, total).Draw(t, "rank")
		require.Equal(t, rounded(total-rank+1, total), game.Percentile(rank, total))
		require.Equal(t, rounded(rank, total), game.TopPercent(rank, total))
	})
}

func TestSharedRanksCountTheStrictlyBetter(t *testing.T) {
	require.Equal(t, []int64{1, 2, 2, 4}, game.SharedRanks([]game.Score{9, 7, 7, 3}, 1))
	require.Empty(t, game.SharedRanks(nil, 1))
	rapid.Check(t, func(t *rapid.T) {
		board := rapid.SliceOf(rapid.Map(rapid.Int64Range(-3, 3), func(n int64) game.Score { return game.Score(n) })).Draw(t, "board")
		desc := rapid.Bool().Draw(t, "desc")
		better := func(a, b game.Score) bool { return a < b }
		if desc {
			better = func(a, b game.Score) bool { return a > b }
		}
		slices.SortFunc(board, func(a, b game.Score) int {
			switch {
			case better(a, b):
				return -1
			case better(b, a):
				return 1
			}
			return 0
		})
		model := make([]int64, len(board))
		for i, s := range board {
			model[i] = 1
			for _, other := range board {
				if better(other, s) {
					model[i]++
				}
			}
		}
		require.Equal(t, model, game.SharedRanks(board, 1))

		// A page that begins where no tie is cut has the same ranks.
		from := rapid.IntRange(0, len(board)).Draw(t, "from")
		if from == 0 || from == len(board) || board[from] != board[from-1] {
			require.Equal(t, model[from:], game.SharedRanks(board[from:], int64(from)+1))
		}
	})
}
