package bands_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// failing lets some requests through and then none. Every other request that fails has had its
// effect.
type failing struct {
	left atomic.Int64
	real http.RoundTripper
}

var errCut = errors.New("the process ends here")

func (f *failing) RoundTrip(r *http.Request) (*http.Response, error) {
	n := f.left.Add(-1)
	switch {
	case n >= 0:
		return f.real.RoundTrip(r)
	case n == -1: // it arrives, and nobody hears of it
		if answer, err := f.real.RoundTrip(r); err == nil {
			_ = answer.Body.Close()
		}
	}
	return nil, errCut
}

// cutting is a process that is cut off after so many requests.
func (k *kit) cutting(after int64) *bands.Bands {
	f := &failing{real: http.DefaultTransport}
	f.left.Store(after)
	return k.process(testkit.AtOnce, func(c *upstash.Config) { c.HTTP, c.Attempts = &http.Client{Transport: f}, 1 })
}

// small are rules for bands that a test can fill.
var small = bands.Rules{Adopt: 30, Split: 20, Homes: 3, Chunk: 4, Chunks: 2}

func TestABoardGetsBandsAndSplitsWhileScoresComeInAndRunsAreCutOff(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		rapid.Check(t, func(rt *rapid.T) {
			k.empty()
			ctx := context.Background()
			b := highest
			b.Order = rapid.SampledFrom([]game.Order{game.Asc, game.Desc}).Draw(rt, "order")
			b.First = rapid.Bool().Draw(rt, "first")
			m := newModel(b)
			whole := k.process()
			old := k.process() // whose layout is as old as it may be
			for step := range 150 {
				player := fmt.Sprint("p", rapid.IntRange(0, 79).Draw(rt, "player"))
				e := bands.Entry{Player: player, Stored: float64(rapid.IntRange(0, 60).Draw(rt, "score"))}
				writer := rapid.SampledFrom([]*bands.Bands{whole, old}).Draw(rt, "writer")
				want := m.put(e.Player, e.Stored)
				got, err := writer.Submit(ctx, b, e, redis.Place{})
				if errors.Is(err, bands.ErrNoBands) {
					how := "GT"
					switch {
					case b.First:
						how = "NX"
					case b.Order == game.Asc:
						how = "LT"
					}
					k.do("db0", "ZADD", b.Key, how, game.FormatStored(e.Stored), player)
				} else {
					require.NoError(rt, err)
					require.Equal(rt, want, got.Status)
				}
				reader := rapid.SampledFrom([]*bands.Bands{whole, old}).Draw(rt, "reader")
				if current, err := reader.Rank(ctx, b, player, redis.Place{}, true); !errors.Is(err, bands.ErrNoBands) {
					require.NoError(rt, err)
					if over := current.Rank - m.rank(player); over != 0 { // a run was cut off while it settled somebody
						drift, err := k.process().Drift(ctx, b)
						require.NoError(rt, err)
						require.True(rt, 0 < over && over <= drift, "%d of %s in step %d, which has a drift of %d", over, player, step, drift)
					}
				}
				k.pass(time.Duration(rapid.IntRange(0, 9).Draw(rt, "seconds")) * time.Second)
				if step%2 == 0 {
					one := k.cutting(int64(rapid.IntRange(0, 12).Draw(rt, "requests")))
					_, _ = bands.NewKeeper(one, small).Tend(ctx, b)
				} else {
					_, err := bands.NewKeeper(k.process(), small).Tend(ctx, b)
					require.NoError(rt, err)
				}
			}
			k.tendToTheEnd(b)
			s := k.process()
			m.held(t, k, s)
			layout, err := s.Layout(ctx, b)
			require.NoError(rt, err)
			require.Greater(rt, len(layout.Bands), 1)
			for i, e := range m.sorted() {
				current, err := s.Rank(ctx, b, e.Player, redis.Place{}, true)
				require.NoError(rt, err)
				require.Equal(rt, int64(i+1), current.Rank)
				require.Equal(rt, int64(len(m.scores)), current.Total)
			}
		})
	})
}

// tendToTheEnd runs a keeper until nothing is due.
func (k *kit) tendToTheEnd(b bands.Board) {
	for range 1000 {
		k.pass(31 * time.Second)
		did, err := bands.NewKeeper(k.process(), small).Tend(context.Background(), b)
		require.NoError(k.tb, err)
		if did == (bands.Tended{}) {
			return
		}
	}
	require.Fail(k.tb, "there is always something to do")
}

func TestNobodyIsLostOrTwiceUnderManyWritersAndSplits(t *testing.T) {
	for _, kind := range []struct {
		name      string
		players   int
		split     int64
		addresses func() []string
	}{
		{"embedded", 3_000, 200, func() []string { return []string{"", ""} }},
		{"real", 100_000, 1_000, func() []string {
			return []string{testkit.RealRedis(t), testkit.RealRedis(t), testkit.RealRedis(t)}
		}},
	} {
		t.Run(kind.name, func(t *testing.T) {
			k := newKit(t, kind.addresses()...)
			ctx, stop := context.WithCancel(context.Background())
			defer stop()
			rules := bands.Rules{Adopt: 1, Split: kind.split, Homes: 8, Chunk: max(kind.split/4, 100)}
			shared := k.process(testkit.AtOnce)
			require.NoError(t, shared.Create(ctx, highest, bands.Birth{Homes: 8}))
			const writers = 64
			var done atomic.Int64
			var underway sync.RWMutex
			var all sync.WaitGroup
			models := make([]*model, writers)
			for n := range writers {
				models[n] = newModel(highest)
				all.Go(func() {
					defer done.Add(1)
					random := rand.New(rand.NewPCG(uint64(n), 1))
					for at := 0; at < kind.players/writers; at += 50 {
						var some []bands.Entry
						for i := range min(50, kind.players/writers-at) {
							some = append(some, bands.Entry{Player: fmt.Sprintf("w%d-%d", n, at+i), Stored: float64(random.IntN(1_000_000)) + 0.5})
						}
						for range min(len(some), 5) { // some of before, better or worse
							some = append(some, bands.Entry{Player: fmt.Sprintf("w%d-%d", n, random.IntN(at+len(some))), Stored: float64(random.IntN(1_000_000)) + 0.5})
						}
						for _, e := range some {
							models[n].put(e.Player, e.Stored)
						}
						underway.RLock()
						_, err := shared.SubmitMany(ctx, highest, some)
						underway.RUnlock()
						if err != nil {
							t.Error(err)
							return
						}
						e := bands.Entry{Player: fmt.Sprintf("w%d-%d", n, random.IntN(at+1)), Stored: float64(random.IntN(1_000_000)) + 0.5}
						models[n].put(e.Player, e.Stored)
						underway.RLock()
						got, err := shared.Submit(ctx, highest, e, redis.Place{})
						underway.RUnlock()
						if err != nil {
							t.Error(err)
							return
						}
						if models[n].scores[e.Player] != got.Stored {
							t.Errorf("%s has %v, not %v", e.Player, got.Stored, models[n].scores[e.Player])
						}
					}
				})
			}
			splitting := func(cut bool) {
				one := k.process(testkit.AtOnce)
				if cut {
					one = k.cutting(5 + rand.Int64N(20))
				}
				_, _ = bands.NewKeeper(one, rules).Tend(ctx, highest)
			}
			for turn := 0; done.Load() < writers; turn++ {
				k.pass(9 * time.Second) // while requests are on their way,
				splitting(turn%3 == 0)
				underway.Lock() // none of which takes longer
				k.pass(9 * time.Second)
				underway.Unlock()
				splitting(turn%3 == 1)
			}
			all.Wait()
			for range 10_000 {
				k.pass(31 * time.Second)
				did, err := bands.NewKeeper(k.process(testkit.AtOnce), rules).Tend(ctx, highest)
				require.NoError(t, err)
				if did == (bands.Tended{}) {
					break
				}
			}
			whole := newModel(highest)
			for _, m := range models {
				for player, stored := range m.scores {
					whole.scores[player] = stored
				}
			}
			whole.held(t, k, shared)
			layout, err := shared.Layout(ctx, highest)
			require.NoError(t, err)
			require.Greater(t, int64(len(layout.Bands)), int64(len(whole.scores))/kind.split)
			s := k.process(testkit.AtOnce)
			for i, e := range whole.sorted() {
				if i%(len(whole.scores)/500+1) != 0 {
					continue
				}
				current, err := s.Rank(ctx, highest, e.Player, redis.Place{}, i%2 == 0)
				require.NoError(t, err)
				require.Equal(t, int64(i+1), current.Rank)
			}
		})
	}
}
