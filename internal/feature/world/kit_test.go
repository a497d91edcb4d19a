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

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/world"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m, "8", "25")) }

const testGame = `
name: test
refresh: 1s
cache: 0s
world: {top: 100}
modes:
  best: {policy: best, max: 1000, aggregate: max}
  fast: {policy: best, max: 1000, order: asc, aggregate: min}
`

const readOnly = "may-only-read"

var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

// site is one deployment, and the client with which the others read it.
type site struct {
	*lifecycle.Parts
	name   string
	redis  *testkit.Redis
	reader *upstash.Client
}

type kit struct {
	t     *testing.T
	clock *testkit.Clock
	game  *game.Game
	sites []*site
	// elapsed is how old processes take their memories to be; nil: real time.
	elapsed func() time.Duration
}

// newKit makes a site at each address, named a, b, and so on.
func newKit(t *testing.T, text string, addresses ...string) *kit {
	k := &kit{t: t, clock: testkit.Ticking(noon), game: testkit.Game(t, text)}
	for i, address := range addresses {
		s := &site{name: string(rune('a' + i)), redis: testkit.OnPlan(t, upstashtest.Options{Redis: address, ReadOnlyToken: readOnly}, testkit.AtOnce)}
		s.reader = s.redis.Connect(testkit.AtOnce, func(c *upstash.Config) { c.Token = readOnly })
		k.sites = append(k.sites, s)
		k.start(s)
	}
	return k
}

// start starts a process of a site that remembers nothing.
func (k *kit) start(s *site) {
	s.Parts = lifecycle.New(lifecycle.Options{
		Redis: s.redis.Client, Game: k.game, Now: k.clock.Now, Elapsed: k.elapsed, CursorKeys: [][]byte{[]byte("a cursor key of thirty-two bytes")},
	})
}

// onEngines runs a test over three sites on the embedded Redis, and over three on real ones.
func onEngines(t *testing.T, text string, test func(k *kit)) {
	t.Run("embedded", func(t *testing.T) { test(newKit(t, text, "", "", "")) })
	t.Run("real", func(t *testing.T) {
		test(newKit(t, text, testkit.RealRedis(t), testkit.RealRedis(t), testkit.RealRedis(t)))
	})
}

func (k *kit) empty() {
	for _, s := range k.sites {
		s.redis.Do("FLUSHALL")
		k.start(s)
	}
}

func (k *kit) merge(s *site) *world.Merge {
	m := &world.Merge{Boards: s.Boards, Name: s.name}
	for _, o := range k.sites {
		if o != s {
			m.Others = append(m.Others, world.Other{Name: o.name, Redis: o.reader})
		}
	}
	return m
}

// run merges at a site whose boards nobody has looked at in the last seconds.
func (k *kit) run(t require.TestingT, s *site) world.Report {
	k.clock.Pass(3 * time.Second)
	report, err := k.merge(s).Run(k.t.Context())
	require.NoError(t, err)
	return report
}

func (k *kit) play(t require.TestingT, s *site, mode, player string, score game.Score) {
	now := k.clock.Now()
	_, err := s.Boards.Submit(k.t.Context(), game.Submission{Mode: testkit.Mode(k.t, k.game, mode), Player: player, Date: k.game.Today(now), Score: score, At: now})
	require.NoError(t, err)
}

// periods returns all periods of today that are merged.
func (k *kit) periods() []game.Period {
	today := k.game.Today(k.clock.Now())
	return append([]game.Period{game.Day.Of(today)}, k.game.PeriodsOf(today)...)
}

// entries returns the members of a sorted set of a site.
func (k *kit) entries(t require.TestingT, s *site, key string) map[string]float64 {
	all, err := s.DB.ReadBoard(k.t.Context(), key)
	require.NoError(t, err)
	return all
}

// whole returns a board of a site from its days, which all exist.
func (k *kit) whole(t require.TestingT, s *site, m *game.Mode, p game.Period) map[string]float64 {
	all := map[string]float64{}
	today := k.game.Today(k.clock.Now())
	for d := today.AddDays(-9); !d.After(today); d = d.AddDays(1) {
		if p.Contains(d) {
			join(all, k.entries(t, s, game.DayBoardKey(m.Name, d)), m.Order)
		}
	}
	return all
}

// join keeps the better score of each player.
func join(all, more map[string]float64, order game.Order) {
	for player, score := range more {
		if current, there := all[player]; !there || score != current && score > current == (order == game.Desc) {
			all[player] = score
		}
	}
}

// best returns the n best of all.
func best(order game.Order, n int64, all map[string]float64) map[string]float64 {
	players := slices.Collect(maps.Keys(all))
	slices.SortFunc(players, func(one, other string) int {
		up := cmp.Or(cmp.Compare(all[one], all[other]), strings.Compare(one, other))
		if order == game.Asc {
			return up
		}
		return -up
	})
	top := map[string]float64{}
	for _, player := range players[:min(len(players), int(n))] {
		top[player] = all[player]
	}
	return top
}

// cutAt makes the n-th request from now on fail, without or with its effect.
func cutAt(n int, after bool) func(upstashtest.Request) upstashtest.Fault {
	var mu sync.Mutex
	return func(upstashtest.Request) upstashtest.Fault {
		mu.Lock()
		defer mu.Unlock()
		n--
		return upstashtest.Fault{CutBefore: n == 0 && !after, CutAfter: n == 0 && after}
	}
}

func down(upstashtest.Request) upstashtest.Fault { return upstashtest.Fault{CutBefore: true} }

func (k *kit) page(t require.TestingT, s *site, mode string, p game.Period) world.Page {
	page, err := world.Reader{Boards: s.Boards}.Page(k.t.Context(), world.BoardOf(testkit.Mode(k.t, k.game, mode), p), game.PageRequest{Limit: 100})
	require.NoError(t, err)
	return page
}

func (k *kit) own(t require.TestingT, s *site, mode string, p game.Period, player string) (world.PlayerPlace, bool) {
	m := testkit.Mode(k.t, k.game, mode)
	page := k.page(t, s, mode, p)
	var at redis.Place
	at.Stored, at.Found = k.whole(t, s, m, p)[player], len(k.whole(t, s, m, p)) > 0
	if _, there := k.whole(t, s, m, p)[player]; !there {
		at = redis.Place{}
	}
	own, ok, err := world.Reader{Boards: s.Boards}.PlayerPlace(k.t.Context(), world.BoardOf(m, p), &page, player, at)
	require.NoError(t, err)
	return own, ok
}

func profileChange(name string, hidden bool) player.ProfileChange {
	return player.ProfileChange{Name: &name, Hidden: &hidden}
}

// hash, putHash and keys access a site's Redis past the product.
func (s *site) hash(key string) map[string]string {
	flat, _ := s.redis.Do("HGETALL", key).([]any)
	fields := map[string]string{}
	for i := 0; i+1 < len(flat); i += 2 {
		fields[fmt.Sprint(flat[i])] = fmt.Sprint(flat[i+1])
	}
	return fields
}

func (s *site) putHash(key string, fields map[string]string) {
	s.redis.Do("DEL", key)
	for field, value := range fields {
		s.redis.Do("HSET", key, field, value)
	}
}

func (s *site) keys() (keys []string) {
	all, _ := s.redis.Do("KEYS", "*").([]any)
	for _, key := range all {
		keys = append(keys, fmt.Sprint(key))
	}
	return keys
}
