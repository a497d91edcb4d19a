package world_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
	"github.com/framedle/leaderboards/internal/testkit"
	"github.com/framedle/leaderboards/internal/world"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m, "12", "40")) }

const readOnly = "may-only-read"

// site is one deployment, and what the others ask it with.
type site struct {
	*world.Site
	redis  *testkit.Redis
	reader *upstash.Client
	board  map[string]float64
	shown  map[int64]map[string]float64 // each top that it published, by stamp
	last   int64
}

type kit struct {
	clock *testkit.Clock
	sites []*site
}

func newKit(t *testing.T, addresses ...string) *kit {
	k := &kit{clock: testkit.Still(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))}
	for _, address := range addresses {
		redis := testkit.OnPlan(t, upstashtest.Options{Redis: address, ReadOnlyToken: readOnly}, testkit.AtOnce)
		k.sites = append(k.sites, &site{
			Site: world.New(rdb.New(redis.Client, nil, k.clock.Now, nil)), redis: redis,
			reader: redis.Connect(testkit.AtOnce, func(c *upstash.Config) { c.Token = readOnly }),
		})
	}
	k.empty()
	return k
}

// onEngines runs a test over three sites on the embedded Redis, and over three on real ones.
func onEngines(t *testing.T, test func(t *testing.T, k *kit)) {
	t.Run("embedded", func(t *testing.T) { test(t, newKit(t, "", "", "")) })
	t.Run("real", func(t *testing.T) {
		test(t, newKit(t, testkit.RealRedis(t), testkit.RealRedis(t), testkit.RealRedis(t)))
	})
}

func (k *kit) empty() {
	for _, s := range k.sites {
		s.redis.Do("FLUSHALL")
		s.board, s.shown, s.last = map[string]float64{}, map[int64]map[string]float64{}, 0
	}
}

func (s *site) put(b world.Board, player string, score float64) {
	s.redis.Do("ZADD", b.Key, game.FormatStored(score), player)
	s.board[player] = score
}

func (s *site) remove(b world.Board, player string) {
	s.redis.Do("ZREM", b.Key, player)
	delete(s.board, player)
}

// state is what the site's published state is, as Redis has it.
func (s *site) state(b world.Board) string {
	text, _ := s.redis.Do("GET", "world:state:"+b.Key).(string)
	return text
}

// best are the b.Top best of all.
func best(b world.Board, all map[string]float64) map[string]float64 {
	players := slices.Collect(maps.Keys(all))
	slices.SortFunc(players, func(one, other string) int {
		up := cmp.Or(cmp.Compare(all[one], all[other]), strings.Compare(one, other))
		if b.Order == game.Asc {
			return up
		}
		return -up
	})
	top := map[string]float64{}
	for _, player := range players[:min(len(players), int(b.Top))] {
		top[player] = all[player]
	}
	return top
}

// merged is the model: everybody's better score in any of the tops, and of these the best.
func merged(b world.Board, tops ...map[string]float64) map[string]float64 {
	all := map[string]float64{}
	for _, top := range tops {
		for player, score := range top {
			stands, there := all[player]
			if !there || (score > stands) == (b.Order == game.Desc) {
				all[player] = score
			}
		}
	}
	return best(b, all)
}

func (s *site) publish(t require.TestingT, ctx *testing.T, b world.Board) {
	done, err := s.Publish(ctx.Context(), b)
	require.NoError(t, err)
	top := best(b, s.board)
	if !done {
		require.Equal(t, s.shown[s.last], top)
		return
	}
	own, err := s.Own(ctx.Context(), b)
	require.NoError(t, err)
	require.Greater(t, own.Stamp, s.last)
	require.EqualValues(t, len(s.board), own.Players)
	s.last, s.shown[own.Stamp] = own.Stamp, top
}

func (s *site) world(t require.TestingT, ctx *testing.T, b world.Board) map[string]float64 {
	all, err := rdb.New(s.redis.Client, nil, time.Now, nil).ReadBoard(ctx.Context(), b.World())
	require.NoError(t, err)
	return all
}

// cutAt has the n-th request from now on fail, without or with its effect.
func cutAt(n int, after bool) func(upstashtest.Request) upstashtest.Fault {
	var mu sync.Mutex
	return func(upstashtest.Request) upstashtest.Fault {
		mu.Lock()
		defer mu.Unlock()
		n--
		return upstashtest.Fault{CutBefore: n == 0 && !after, CutAfter: n == 0 && after}
	}
}

func TestTheWorldIsTheBestOfWhatEachSiteSaidLast(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		rapid.Check(t, func(rt *rapid.T) {
			k.empty()
			b := world.Board{Key: "lb:race:week", Top: 4, Rules: "a", Order: rapid.SampledFrom([]game.Order{game.Desc, game.Asc}).Draw(rt, "order")}
			any := func(name string) int { return rapid.IntRange(0, len(k.sites)-1).Draw(rt, name) }
			player := func() string { return fmt.Sprint("p", rapid.IntRange(0, 9).Draw(rt, "player")) }
			rt.Repeat(map[string]func(*rapid.T){
				"score":  func(*rapid.T) { k.sites[any("site")].put(b, player(), float64(rapid.IntRange(0, 6).Draw(rt, "score"))) },
				"remove": func(*rapid.T) { k.sites[any("site")].remove(b, player()) },
				"pass":   func(*rapid.T) { k.clock.Pass(time.Duration(rapid.IntRange(-5, 300).Draw(rt, "s")) * time.Second) },
				"publish": func(rt *rapid.T) {
					k.sites[any("site")].publish(rt, t, b)
				},
				"take": func(rt *rapid.T) { k.take(rt, t, b, any("to"), any("from")) },
				"unite": func(rt *rapid.T) {
					s := k.sites[any("site")]
					_, err := s.Unite(t.Context(), b)
					if s.last == 0 {
						require.ErrorIs(rt, err, world.ErrUnpublished)
						return
					}
					require.NoError(rt, err)
					tops := []map[string]float64{s.shown[s.last]}
					copies, err := s.Copies(t.Context(), b)
					require.NoError(rt, err)
					for name, c := range copies {
						tops = append(tops, k.named(name).shown[c.Stamp])
					}
					require.Equal(rt, merged(b, tops...), s.world(rt, t, b))
				},
			})
		})
	})
}

func (k *kit) named(name string) *site { return k.sites[name[0]-'a'] }

// take has one site read another, that may be down, cut off, or answer old.
func (k *kit) take(rt *rapid.T, t *testing.T, b world.Board, to, from int) {
	if to == from {
		return
	}
	s, other, name := k.sites[to], k.sites[from], string(rune('a'+from))
	before, err := s.Copies(t.Context(), b)
	require.NoError(rt, err)
	how := rapid.SampledFrom([]string{"well", "down", "cut there", "cut here", "old"}).Draw(rt, "how")
	n, after := rapid.IntRange(1, 4).Draw(rt, "n"), rapid.Bool().Draw(rt, "after")
	fresh, old := other.state(b), ""
	switch how {
	case "down":
		other.redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault { return upstashtest.Fault{CutBefore: true} })
	case "cut there":
		other.redis.Server.Inject(cutAt(n, after))
	case "cut here":
		s.redis.Server.Inject(cutAt(n, after))
	case "old":
		if stamps := slices.Sorted(maps.Keys(other.shown)); len(stamps) > 1 {
			old = strings.Replace(fresh, fmt.Sprint(other.last), fmt.Sprint(stamps[0]), 1)
			other.redis.Do("SET", "world:state:"+b.Key, old)
		}
	}
	done, err := s.Take(t.Context(), b, name, other.reader)
	s.redis.Server.Inject(nil)
	other.redis.Server.Inject(nil)
	if old != "" {
		other.redis.Do("SET", "world:state:"+b.Key, fresh)
	}
	now, failed := s.Copies(t.Context(), b)
	require.NoError(rt, failed)
	require.GreaterOrEqual(rt, now[name].Stamp, before[name].Stamp)
	switch {
	case how == "down":
		require.Error(rt, err)
		require.Equal(rt, before, now)
	case other.last == 0:
		require.Error(rt, err)
		require.Equal(rt, before, now)
	case old != "":
		// The old stamp with the new digest: whatever is read of it, it is not taken.
		require.Equal(rt, before, now)
		require.False(rt, done)
	case how == "well":
		require.NoError(rt, err)
		require.Equal(rt, other.last, now[name].Stamp)
	case err == nil:
		require.Equal(rt, other.last, now[name].Stamp)
	}
	if now[name].Stamp != 0 {
		require.Contains(rt, other.shown, now[name].Stamp)
	}
}

func TestASiteThatIsDownLeavesWhatItSaidLastAndOneThatAnswersOldIsNotTaken(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		b := world.Board{Key: "lb:race:week", Top: 10, Rules: "a", Order: game.Desc}
		a, down, lags := k.sites[0], k.sites[1], k.sites[2]
		a.put(b, "ann", 1)
		down.put(b, "bob", 2)
		lags.put(b, "cat", 3)
		for _, s := range k.sites {
			s.publish(t, t, b)
		}
		for name, s := range map[string]*site{"b": down, "c": lags} {
			done, err := a.Take(t.Context(), b, name, s.reader)
			require.NoError(t, err)
			require.True(t, done)
		}
		first := lags.state(b)
		lags.put(b, "cat", 4)
		k.clock.Pass(time.Minute)
		lags.publish(t, t, b)
		_, err := a.Take(t.Context(), b, "c", lags.reader)
		require.NoError(t, err)

		lags.redis.Do("SET", "world:state:"+b.Key, first)
		_, err = a.Take(t.Context(), b, "c", lags.reader)
		require.ErrorIs(t, err, world.ErrOlder)
		require.ErrorContains(t, err, "site c: the site answers an older state than its copy, by 1m0s")
		down.redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault { return upstashtest.Fault{CutBefore: true} })
		_, err = a.Take(t.Context(), b, "b", down.reader)
		require.Error(t, err)

		made, err := a.Unite(t.Context(), b)
		require.NoError(t, err)
		require.True(t, made)
		require.Equal(t, map[string]float64{"ann": 1, "bob": 2, "cat": 4}, a.world(t, t, b))
		copies, err := a.Copies(t.Context(), b)
		require.NoError(t, err)
		require.Equal(t, time.Minute, k.clock.Now().Sub(copies["b"].At()))
	})
}

func TestASiteWithOtherRulesIsRefused(t *testing.T) {
	k := newKit(t, "", "")
	b := world.Board{Key: "lb:race:week", Top: 10, Rules: "a", Order: game.Desc}
	other := b
	other.Rules = "b"
	k.sites[1].put(other, "bob", 2)
	k.sites[1].publish(t, t, other)
	_, err := k.sites[0].Take(t.Context(), b, "b", k.sites[1].reader)
	require.ErrorIs(t, err, world.ErrRules)
	copies, err := k.sites[0].Copies(t.Context(), b)
	require.NoError(t, err)
	require.Empty(t, copies)
}

func TestManyRunsAtOnceEndWithOneBoard(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		b := world.Board{Key: "lb:race:week", Top: 50, Rules: "a", Order: game.Desc}
		a, other := k.sites[0], k.sites[1]
		a.put(b, "ann", 1)
		var wg sync.WaitGroup
		for n := range 6 {
			other.put(b, fmt.Sprint("p", n), float64(n))
			for range 3 {
				wg.Go(func() {
					_, _ = other.Publish(t.Context(), b)
					_, _ = a.Publish(t.Context(), b)
					_, _ = a.Take(t.Context(), b, "b", other.reader)
					_, _ = a.Unite(t.Context(), b)
				})
			}
		}
		wg.Wait()
		for _, s := range []*site{other, a} {
			_, err := s.Publish(t.Context(), b)
			require.NoError(t, err)
		}
		_, err := a.Take(t.Context(), b, "b", other.reader)
		require.NoError(t, err)
		_, err = a.Unite(t.Context(), b)
		require.NoError(t, err)
		require.Equal(t, merged(b, a.board, other.board), a.world(t, t, b))
	})
}

func TestWhatARunCosts(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		b := world.Board{Key: "lb:race:week", Top: 10, Rules: "a", Order: game.Desc}
		a, other := k.sites[0], k.sites[1]
		run := func() (publish, there, here, unite int64) {
			t.Helper()
			publish, _ = a.redis.Spent(func() {
				_, err := a.Publish(t.Context(), b)
				require.NoError(t, err)
			})
			there, _ = testkit.Spent(other.reader.Meter(), func() {
				here, _ = a.redis.Spent(func() {
					_, err := a.Take(t.Context(), b, "b", other.reader)
					require.NoError(t, err)
				})
			})
			unite, _ = a.redis.Spent(func() {
				_, err := a.Unite(t.Context(), b)
				require.NoError(t, err)
			})
			return publish, there, here, unite
		}
		for score := range 3 { // the first brings the scripts to Redis
			a.put(b, "ann", float64(score))
			other.put(b, "bob", float64(score))
			other.publish(t, t, b)
			before := a.redis.Ran()
			publish, there, here, unite := run()
			if score == 0 {
				continue
			}
			require.Equal(t, []int64{12, 2, 9, 7}, []int64{publish, there, here, unite}, "everything has changed")
			require.EqualValues(t, publish+here+unite, a.redis.Ran()-before, "the meter and Redis itself disagree")
		}
		publish, there, here, unite := run()
		require.Equal(t, []int64{3, 1, 1, 2}, []int64{publish, there, here, unite}, "nothing has changed")
	})
}

// TestARunThatWasOvertakenChangesNothing has a newer state come between what a run has
// read and what it writes of it.
func TestARunThatWasOvertakenChangesNothing(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		b := world.Board{Key: "lb:race:week", Top: 10, Rules: "a", Order: game.Desc}
		a, other := k.sites[0], k.sites[1]
		// meanwhile runs f before the site's next request that writes members.
		meanwhile := func(s *site, f func()) {
			var once sync.Once
			s.redis.Server.Inject(func(r upstashtest.Request) upstashtest.Fault {
				if r.Commands[0][0] == "ZADD" {
					inner := false
					once.Do(func() { inner = true })
					if inner {
						f()
					}
				}
				return upstashtest.Fault{}
			})
		}
		other.put(b, "bob", 1)
		meanwhile(other, func() {
			other.put(b, "bob", 2)
			done, err := other.Publish(t.Context(), b)
			require.NoError(t, err)
			require.True(t, done)
		})
		done, err := other.Publish(t.Context(), b)
		require.NoError(t, err)
		require.False(t, done)
		newest := other.state(b)
		meanwhile(a, func() {
			other.put(b, "bob", 3)
			done, err := other.Publish(t.Context(), b)
			require.NoError(t, err)
			require.True(t, done)
			require.NotEqual(t, newest, other.state(b))
			done, err = a.Take(t.Context(), b, "b", other.reader)
			require.NoError(t, err)
			require.True(t, done)
		})
		done, err = a.Take(t.Context(), b, "b", other.reader)
		require.NoError(t, err)
		require.False(t, done)
		a.put(b, "ann", 1)
		a.publish(t, t, b)
		_, err = a.Unite(t.Context(), b)
		require.NoError(t, err)
		require.Equal(t, map[string]float64{"ann": 1, "bob": 3}, a.world(t, t, b))
	})
}
