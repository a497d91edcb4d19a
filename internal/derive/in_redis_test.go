package derive_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// TestMain keeps property tests short. For a long run:
// go test ./internal/derive -rapid.checks=500
func TestMain(m *testing.M) { os.Exit(testkit.Main(m, "8", "12")) }

var uniteNoon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) // a Sunday: the week has seven days

// uniter is a Rollup over a Redis of its own.
func uniter(t *testing.T, store *testkit.Redis) *derive.Rollup {
	g := testkit.Game(t, `
name: testing
modes:
  sum: {max: 1000}
  max: {policy: best, max: 100000, aggregate: max}
  min: {policy: best, order: asc, max: 3600, aggregate: min}
  last: {policy: latest, max: 50, aggregate: last}
`)
	db := redis.New(store.Connect(testkit.AtOnce), g, func() time.Time { return uniteNoon }, nil)
	return derive.New(db, derive.NewTotals(db.Elapsed), derive.NewWindows(db.Elapsed), control.New(db, ""), nil)
}

// fillDays fills boards of days with players of a crowd, and returns their keys and what a
// plain union of them is.
func fillDays(store *testkit.Redis, m *game.Mode, sizes []int, crowd int, r *rand.Rand) (keys []string, united map[string]float64) {
	united = map[string]float64{}
	monday := game.Week.Of(game.NewDate(2026, time.November, 22)).First()
	for i, size := range sizes {
		key := game.DayBoardKey(m.Name, monday.AddDays(i))
		store.Do("DEL", key)
		entries := map[string]float64{}
		for range size {
			entries[fmt.Sprintf("player-%d", r.IntN(crowd))] = float64(r.IntN(1000)) + r.Float64()/32
		}
		args := []string{"ZADD", key}
		for player, stored := range entries {
			args = append(args, game.FormatStored(stored), player)
		}
		if len(entries) > 0 {
			store.Do(args...)
		}
		derive.AddTo(united, entries, m.Aggregate)
		keys = append(keys, key)
	}
	return keys, united
}

func TestRedisUnitesWhatAPlainUnionDoes(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		store := testkit.NewRedis(t, address)
		ru := uniter(t, store)
		cuts := atomic.Bool{}
		store.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
			return upstashtest.Fault{CutBefore: cuts.Load() && rand.IntN(12) == 0, CutAfter: cuts.Load() && rand.IntN(12) == 0}
		})
		rapid.Check(t, func(rt *rapid.T) {
			m := ru.DB().Game.Modes[rapid.IntRange(0, 3).Draw(rt, "mode")]
			sizes := rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, 100, 3499, 3501, 9000}), 1, 7).Draw(rt, "sizes")
			crowd := rapid.SampledFrom([]int{1, 5000, 20_000}).Draw(rt, "crowd")
			keys, want := fillDays(store, m, sizes, crowd, rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1)))
			b := game.BoardOf(m, game.Week.Of(game.NewDate(2026, time.November, 22)), game.Scope{})
			store.Do("DEL", b.Key)
			if rapid.Bool().Draw(rt, "stands") {
				store.Do("ZADD", b.Key, "5", "somebody who left")
			}
			cuts.Store(true)
			err := derive.UniteInRedis(context.Background(), ru, b, keys)
			for ; err != nil; err = derive.UniteInRedis(context.Background(), ru, b, keys) { // every try of a call was cut
				require.NotContains(rt, err.Error(), "ERR")
			}
			cuts.Store(false)
			got, err := ru.DB().ReadBoard(context.Background(), b.Key)
			require.NoError(rt, err)
			require.Equal(rt, want, got, "to the last bit")
			total, known := ru.Totals().Last(b.Key)
			require.True(rt, known)
			require.EqualValues(rt, len(want), total)
			if len(want) > 0 {
				require.Positive(rt, store.Do("TTL", b.Key), "it expires")
			}
			for _, scratch := range store.Do("KEYS", "scratch:*").([]any) {
				require.Positive(rt, store.Do("TTL", fmt.Sprint(scratch)), "what a cut left behind goes by itself")
			}
		})
	})
}

// What was played before Redis began is on the board, whatever comes in meanwhile.
func TestRedisUnitesDaysThatArePlayedMeanwhile(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		store := testkit.NewRedis(t, address)
		ru := uniter(t, store)
		m := testkit.Mode(t, ru.DB().Game, "sum")
		keys, want := fillDays(store, m, []int{8000, 8000, 8000}, 10_000, rand.New(rand.NewPCG(1, 2)))
		b := game.BoardOf(m, game.Week.Of(game.NewDate(2026, time.November, 22)), game.Scope{})
		done := make(chan struct{})
		var others sync.WaitGroup
		others.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
					store.Do("ZADD", keys[2], "NX", "7", fmt.Sprintf("new-%d", i))
				}
			}
		})
		require.NoError(t, derive.UniteInRedis(t.Context(), ru, b, keys))
		close(done)
		others.Wait()
		got, err := ru.DB().ReadBoard(t.Context(), b.Key)
		require.NoError(t, err)
		for player, stored := range want {
			require.Equal(t, stored, got[player], player)
		}
		for player, stored := range got {
			if _, ok := want[player]; !ok {
				require.True(t, strings.HasPrefix(player, "new-") && stored == 7, "%s %v", player, stored)
			}
		}
	})
}

// Bytes do not grow with the board, and the commands are as many as the comment says.
func TestRedisUnitesForFewBytes(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		store := testkit.NewRedis(t, address)
		ru := uniter(t, store)
		m := testkit.Mode(t, ru.DB().Game, "sum")
		keys, _ := fillDays(store, m, []int{50_000, 50_000}, 20_000, rand.New(rand.NewPCG(3, 4)))
		b := game.BoardOf(m, game.Week.Of(game.NewDate(2026, time.November, 22)), game.Scope{})
		meter := ru.DB().Redis.Meter()
		require.NoError(t, derive.UniteInRedis(t.Context(), ru, b, keys))
		before := meter.Usage()
		require.NoError(t, derive.UniteInRedis(t.Context(), ru, b, keys))
		spent := meter.Usage()
		pages := int64(7) // of about 3,500, of some 18,400 players on each day
		require.LessOrEqual(t, spent.Commands-before.Commands, 2*pages*(3+2)+5)
		require.Less(t, spent.BytesSent+spent.BytesReceived-before.BytesSent-before.BytesReceived, int64(20_000))
	})
}

// The request's time is too short for the board: it is made all the same, once, and is known.
func TestALargeBoardIsFinishedThoughWhoAskedHasGone(t *testing.T) {
	store := testkit.NewRedis(t, "")
	ru := uniter(t, store)
	m := testkit.Mode(t, ru.DB().Game, "sum")
	keys, want := fillDays(store, m, []int{9000, 9000}, 10_000, rand.New(rand.NewPCG(5, 6)))
	b := game.BoardOf(m, game.Week.Of(game.NewDate(2026, time.November, 22)), game.Scope{})
	ru.Totals().Set(b.Key, derive.UnionBound) // it was large
	ctx, gone := context.WithTimeout(t.Context(), derive.Partly-time.Second)
	asked := 0
	store.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
		if asked++; asked == 3 {
			gone()
		}
		return upstashtest.Fault{}
	})
	require.NoError(t, ru.CombineInto(ctx, b, keys))
	require.Error(t, ctx.Err())
	store.Server.Inject(nil)
	got, err := ru.DB().ReadBoard(t.Context(), b.Key)
	require.NoError(t, err)
	require.Equal(t, want, got)

	store.Do("DEL", b.Key)
	waits, stop := context.WithCancel(t.Context()) // it had as long as it liked
	stop()
	require.ErrorIs(t, ru.CombineInto(waits, b, keys), context.Canceled)
}
