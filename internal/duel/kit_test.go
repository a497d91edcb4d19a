package duel_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/game/gamefile"
	"github.com/framedle/leaderboards/internal/redisd"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const testGame = "name: testing\nmodes: {daily: {max: 10}}\n"

var (
	ctx  = context.Background()
	noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)
)

// TestMain keeps property tests short: each action is some round trips. For a
// long run: go test ./internal/duel -rapid.checks=500 -rapid.steps=100
func TestMain(m *testing.M) {
	flag.Parse()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for name, value := range map[string]string{"rapid.checks": "12", "rapid.steps": "30", "rapid.nofailfile": "true"} {
		if !given[name] {
			_ = flag.Set(name, value)
		}
	}
	os.Exit(m.Run())
}

// clock moves when told, and by a millisecond at each reading.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Millisecond)
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// kit is a Redis behind the REST server with a Store in front of it.
type kit struct {
	*duel.Store
	server  *upstashtest.Server
	client  *upstash.Client
	clock   *clock
	rules   game.Duels
	options duel.Options
	mu      sync.Mutex
	ids     int
}

// onEngines runs a test over the embedded Redis and over a real one. More is
// added to the game's file.
func onEngines(t *testing.T, more string, test func(t *testing.T, k *kit)) {
	t.Run("embedded", func(t *testing.T) { test(t, newKit(t, "", more)) })
	t.Run("real", func(t *testing.T) {
		redis, err := redisd.Start(ctx, redisd.Options{})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, redis.Stop()) })
		test(t, newKit(t, redis.URL(), more))
	})
}

func newKit(t testing.TB, redis, more string) *kit {
	g, err := gamefile.Parse("test.yaml", []byte(testGame+more))
	require.NoError(t, err)
	k := &kit{server: upstashtest.Start(t, upstashtest.Options{Redis: redis}), clock: &clock{now: noon}, rules: g.Duels}
	k.client, err = upstash.New(upstash.Config{URL: k.server.URL(), Token: k.server.Token(), Timeout: time.Minute, Breaker: upstash.Breaker{Off: true}})
	require.NoError(t, err)
	k.options = duel.Options{Redis: k.client, Game: g, Now: k.clock.Now, NewID: k.newID}
	k.Store = duel.New(k.options)
	return k
}

func (k *kit) newID() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ids++
	return fmt.Sprintf("id%d", k.ids)
}

// spent is what f costs by the client's meter.
func (k *kit) spent(f func()) (commands, roundTrips int64) {
	before := k.client.Meter().Usage()
	f()
	after := k.client.Meter().Usage()
	return after.Commands - before.Commands, after.RoundTrips - before.RoundTrips
}

// counted is how many commands the engine itself has run, but for asking.
func (k *kit) counted(t testing.TB) (n int64) {
	stats, err := k.server.Redis().CommandStats(ctx)
	require.NoError(t, err)
	for name, calls := range stats {
		if name != "info" && name != "hello" && name != "client" {
			n += calls
		}
	}
	return n
}

// ready makes a duel of two players.
func (k *kit) ready(t require.TestingT, id string, a, b string) game.Duel {
	d, err := k.Arrange(ctx, id, [2]string{a, b}, "")
	require.NoError(t, err)
	require.Equal(t, game.DuelReady, d.State)
	return d
}

func score(a, b int64) *[2]int64 { return &[2]int64{a, b} }
