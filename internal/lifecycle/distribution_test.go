package lifecycle_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
)

// counted adds up by hand how many players of a board are in each bucket.
func counted(d game.Distribution, current map[string]float64) []int64 {
	players := make([]int64, len(d.Buckets))
	for _, stored := range current {
		for i, b := range d.Buckets {
			low, high := b.Bounds(d.Board.Mode)
			if s := game.Score(math.Floor(stored)); low <= s && s <= high {
				players[i]++
			}
		}
	}
	return players
}

// Every player of a board is in the bucket of the own score and in no other: on small and
// large boards, in either order, in the process that has counted and in one that reads its
// result.
func TestADistributionIsWhatTheBoardHas(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.ageless()
		ctx := context.Background()
		for _, name := range []string{"first", "best", "fastest", "shared", "latest"} {
			m := k.mode(name)
			for _, players := range []int{0, 1, 40, 1500} {
				t.Run(fmt.Sprint(name, " of ", players), func(t *testing.T) {
					k.empty()
					p := k.process()
					var subs []game.Submission
					for i := range players {
						subs = append(subs, k.play(name, fmt.Sprint("p", i), m.Min+game.Score(rand.Int64N(int64(m.Max-m.Min)+1))))
					}
					for from := 0; from < len(subs); from += 500 {
						for _, o := range p.Boards.SubmitBatch(ctx, subs[from:min(from+500, len(subs))]) {
							require.NoError(t, o.Err)
						}
					}
					for _, kind := range []game.PeriodKind{game.Day, game.Week} {
						b := game.BoardOf(m, kind.Of(k.dayBoard(p, name).Period.First()), game.Scope{})
						for _, buckets := range []int{1, 7, game.MostBuckets} {
							for range 2 {
								read, err := leaderboard.NewReader(k.process().Boards, nil, nil).Distribution(ctx, b, buckets)
								require.NoError(t, err)
								d := read.Found
								current := k.raw(t, b.Key)
								require.LessOrEqual(t, len(d.Buckets), buckets)
								require.EqualValues(t, len(current), d.Total)
								got := make([]int64, len(d.Buckets))
								for i, bucket := range d.Buckets {
									got[i] = bucket.Players
								}
								require.Equal(t, counted(d, current), got)
							}
						}
					}
				})
			}
		}
	})
}

// All processes together count a large board once for as long as a page may be old, and then
// anew. A small board is read.
func TestADistributionIsCountedOnce(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		p := k.process()
		var subs []game.Submission
		for i := range 1500 {
			subs = append(subs, k.play("first", fmt.Sprint("p", i), game.Score(i%1000)))
		}
		for _, o := range p.Boards.SubmitBatch(ctx, subs[:1000]) {
			require.NoError(t, o.Err)
		}
		for _, o := range p.Boards.SubmitBatch(ctx, subs[1000:]) {
			require.NoError(t, o.Err)
		}
		ask := func(p *process) (d game.Distribution) {
			read, err := leaderboard.NewReader(p.Boards, nil, nil).Distribution(ctx, k.dayBoard(p, "first"), 20)
			require.NoError(t, err)
			return read.Found
		}
		fresh := k.process()
		var first game.Distribution
		commands, trips := fresh.spent(func() { first = ask(fresh) })
		require.LessOrEqual(t, commands, int64(28))
		require.EqualValues(t, 4, trips)
		require.EqualValues(t, 1500, first.Total)
		spend := func(p *process) (int64, int64) { return p.spent(func() { ask(p) }) }
		commands, _ = spend(fresh)
		require.Zero(t, commands)
		commands, trips = spend(k.process())
		require.EqualValues(t, 1, commands)
		require.EqualValues(t, 1, trips)
		k.clock.Set(k.clock.Now().Add(time.Hour))
		require.NotEqual(t, first.UpdatedAt, ask(fresh).UpdatedAt)
	})
}
