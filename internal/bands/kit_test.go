package bands_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m, "8", "30")) }

var highest = bands.Board{Key: "lb:race:alltime", Order: game.Desc}

// kit is some databases, and as many processes in front of them as a test asks for.
type kit struct {
	tb    testing.TB
	redis []*testkit.Redis

	mu      sync.Mutex
	now     time.Time
	elapsed time.Duration
}

// onEngines runs a test over one embedded database, three of them, and over two real
// ones.
func onEngines(t *testing.T, test func(t *testing.T, k *kit)) {
	t.Run("one", func(t *testing.T) { test(t, newKit(t, "")) })
	t.Run("three", func(t *testing.T) { test(t, newKit(t, "", "", "")) })
	t.Run("real", func(t *testing.T) { test(t, newKit(t, testkit.RealRedis(t), testkit.RealRedis(t))) })
}

func newKit(tb testing.TB, addresses ...string) *kit {
	k := &kit{tb: tb, now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
	for _, address := range addresses {
		k.redis = append(k.redis, testkit.NewRedis(tb, address))
	}
	return k
}

func (k *kit) empty() {
	for _, r := range k.redis {
		r.Do("FLUSHALL")
	}
}

// pass lets time go by.
func (k *kit) pass(d time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.now, k.elapsed = k.now.Add(d), k.elapsed+d
}

func (k *kit) Now() time.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.now
}

func (k *kit) Elapsed() time.Duration {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.elapsed
}

// process is a Bands with a memory of its own.
func (k *kit) process(change ...func(*upstash.Config)) *bands.Bands {
	var all []bands.Database
	for i, r := range k.redis {
		client := r.Client
		if len(change) > 0 {
			client = r.Connect(change...)
		}
		all = append(all, bands.Database{Name: fmt.Sprint("db", i), Redis: client})
	}
	dbs, err := bands.NewDatabases(all...)
	require.NoError(k.tb, err)
	return bands.New(dbs, bands.Settings{Now: k.Now, Elapsed: k.Elapsed})
}

// spent is what f costs in all databases, and the most that one of them was asked.
func (k *kit) spent(f func()) (commands, roundTrips int64) {
	before := make([]upstash.Usage, len(k.redis))
	for i, r := range k.redis {
		before[i] = r.Client.Meter().Usage()
	}
	f()
	for i, r := range k.redis {
		after := r.Client.Meter().Usage()
		commands += after.Commands - before[i].Commands
		roundTrips = max(roundTrips, after.RoundTrips-before[i].RoundTrips)
	}
	return commands, roundTrips
}

// model is the expected board as a map.
type model struct {
	bands.Board
	scores map[string]float64
}

func newModel(b bands.Board) *model { return &model{b, map[string]float64{}} }

func (m *model) put(player string, stored float64) game.Status {
	old, ok := m.scores[player]
	switch {
	case !ok:
		m.scores[player] = stored
		return game.Accepted
	case m.First, m.Order == game.Desc && stored <= old, m.Order == game.Asc && stored >= old:
		return game.Kept
	}
	m.scores[player] = stored
	return game.Improved
}

// sorted is the board as Redis orders it.
func (m *model) sorted() []bands.Entry {
	all := make([]bands.Entry, 0, len(m.scores))
	for player, stored := range m.scores {
		all = append(all, bands.Entry{Player: player, Stored: stored})
	}
	slices.SortFunc(all, func(a, b bands.Entry) int {
		up := cmp.Or(cmp.Compare(a.Stored, b.Stored), strings.Compare(a.Player, b.Player))
		if m.Order == game.Asc {
			return up
		}
		return -up
	})
	return all
}

// rank is a player's, from 1.
func (m *model) rank(player string) int64 {
	return int64(1 + slices.IndexFunc(m.sorted(), func(e bands.Entry) bool { return e.Player == player }))
}

// held requires that homes and bands say what the model says, each player once.
func (m *model) held(tb testing.TB, k *kit, s *bands.Bands) {
	tb.Helper()
	ctx := context.Background()
	layout, err := s.Layout(ctx, m.Board)
	require.NoError(tb, err)
	inBands, inHomes := map[string]float64{}, map[string]float64{}
	var order []bands.Entry
	for i, band := range layout.Bands {
		var better *float64
		if i > 0 {
			better = layout.Bands[i-1].From
		}
		members := k.members(band)
		if m.Order == game.Desc {
			slices.Reverse(members)
		}
		for _, e := range members {
			_, twice := inBands[e.Player]
			require.False(tb, twice, "%s stands in two bands", e.Player)
			inBands[e.Player] = e.Stored
			if m.Order == game.Desc {
				require.True(tb, (better == nil || e.Stored < *better) && (band.From == nil || e.Stored >= *band.From))
			} else {
				require.True(tb, (better == nil || e.Stored > *better) && (band.From == nil || e.Stored <= *band.From))
			}
		}
		order = append(order, members...)
	}
	for n := range layout.Homes {
		key := game.BandHomesKey(m.Key, n)
		for i := range k.redis {
			for _, e := range k.members(bands.Band{Key: key, Database: fmt.Sprint("db", i)}) {
				inHomes[e.Player] = e.Stored
			}
		}
	}
	require.Equal(tb, m.scores, inHomes, "homes")
	require.Equal(tb, m.scores, inBands, "bands")
	require.Equal(tb, m.sorted(), order)
}

// members are what one sorted set holds, lowest first.
func (k *kit) members(band bands.Band) (all []bands.Entry) {
	var n int
	_, err := fmt.Sscanf(band.Database, "db%d", &n)
	require.NoError(k.tb, err)
	flat, _ := k.redis[n].Do("ZRANGE", band.Key, "0", "-1", "WITHSCORES").([]any)
	for i := 0; i+1 < len(flat); i += 2 {
		var stored float64
		_, err := fmt.Sscan(fmt.Sprint(flat[i+1]), &stored)
		require.NoError(k.tb, err)
		all = append(all, bands.Entry{Player: fmt.Sprint(flat[i]), Stored: stored})
	}
	return all
}

func (k *kit) do(database string, words ...string) {
	var n int
	_, err := fmt.Sscanf(database, "db%d", &n)
	require.NoError(k.tb, err)
	k.redis[n].Do(words...)
}
