package game_test

import (
	"math/big"
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
		{1, 1_000_000, 100, 0.01},
		{2, 1_000_000, 99.99, 0.01},
		{1, 25_000, 100, 0.01},
		{2, 25_000, 99.99, 0.01},
		{25_000, 25_000, 0.01, 100},
		{1_000_000, 1_000_000, 0.01, 100},
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
		require.Equal(t, max(0.01, rounded(rank, total)), game.TopPercent(rank, total))
		want := min(max(0.01, rounded(total-rank+1, total)), 99.99)
		if rank == 1 {
			want = 100
		}
		require.Equal(t, want, game.Percentile(rank, total), "100 belongs to the first alone")
	})
}
