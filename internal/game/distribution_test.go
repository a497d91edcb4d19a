package game_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

func TestBucketsAreRoundAndFew(t *testing.T) {
	plain := &game.Mode{Name: "m", Order: game.Desc, DayMin: 0, DayMax: 1000}
	few := &game.Mode{Name: "m", Order: game.Asc, DayMin: 1, DayMax: 6}
	rows := []struct {
		name      string
		mode      *game.Mode
		low, high game.Score
		most      int
		first     game.Bucket
		last      game.Bucket
		n         int
	}{
		{"hundreds", plain, 37, 963, 10, game.Bucket{From: 0, To: 99}, game.Bucket{From: 900, To: 999}, 10},
		{"the best has a bucket", plain, 37, 1000, 20, game.Bucket{From: 0, To: 99}, game.Bucket{From: 1000, To: 1000}, 11},
		{"one", plain, 37, 963, 1, game.Bucket{From: 37, To: 963}, game.Bucket{From: 37, To: 963}, 1},
		{"all alike", plain, 37, 37, 20, game.Bucket{From: 37, To: 37}, game.Bucket{From: 37, To: 37}, 1},
		{"each number its own", few, 2, 3, 20, game.Bucket{From: 1, To: 1}, game.Bucket{From: 6, To: 6}, 6},
		{"a week of sums", plain, 900, 6900, 20, game.Bucket{From: 500, To: 999}, game.Bucket{From: 6500, To: 6999}, 13},
		{"over nothing", &game.Mode{Name: "m", DayMin: -100, DayMax: 100}, -5, 5, 2, game.Bucket{From: -10, To: -1}, game.Bucket{From: 0, To: 9}, 2},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			buckets := game.Buckets(row.mode, row.high, row.low, row.most)
			require.Len(t, buckets, row.n)
			require.Equal(t, row.first, buckets[0])
			require.Equal(t, row.last, buckets[len(buckets)-1])
		})
	}
}

// Whatever the ends and the mode, buckets follow each other without a gap, are no more
// than asked for, and hold both ends.
func TestBucketsHaveNoGap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.SampledFrom([]int64{3, 100, 1 << 40}).Draw(t, "bound")
		m := &game.Mode{Name: "m", Order: game.Desc, DayMin: game.Score(-bound), DayMax: game.Score(bound)}
		if rapid.Bool().Draw(t, "values") {
			first := game.Value{Name: "a", Min: 0, Max: 200, Order: rapid.SampledFrom([]game.Order{game.Asc, game.Desc}).Draw(t, "order")}
			m.Values = []game.Value{first, {Name: "b", Min: 0, Max: 9, Order: game.Desc}}
			m.DayMin, m.DayMax = 0, 2009
		}
		draw := func(name string) game.Score {
			return game.Score(rapid.Int64Range(int64(m.DayMin), int64(m.DayMax)).Draw(t, name))
		}
		one, other, most := draw("one"), draw("other"), rapid.IntRange(1, game.MostBuckets).Draw(t, "most")
		d := game.Distribution{Board: game.Board{Mode: m}, Buckets: game.Buckets(m, one, other, most)}
		require.LessOrEqual(t, len(d.Buckets), most)
		for i, b := range d.Buckets {
			require.LessOrEqual(t, b.From, b.To)
			if i > 0 {
				require.Equal(t, d.Buckets[i-1].To+1, b.From)
			}
		}
		for _, s := range []game.Score{one, other} {
			low, high := d.Buckets[d.BucketOf(s)].Bounds(m)
			require.LessOrEqual(t, low, s)
			require.LessOrEqual(t, s, high)
		}
	})
}
