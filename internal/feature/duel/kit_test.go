package duel_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/upstash"
)

const testGame = "name: testing\nmodes: {daily: {max: 10}}\n"

var (
	ctx  = context.Background()
	noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)
)

// TestMain keeps property tests short. For a long run:
// go test ./internal/feature/duel -rapid.checks=500 -rapid.steps=100
func TestMain(m *testing.M) { os.Exit(testkit.Main(m, "12", "30")) }

// kit is a Redis behind the REST server with a Store in front of it.
type kit struct {
	*duel.Store
	redis   *testkit.Redis
	clock   *testkit.Clock
	rules   duel.Rules
	options duel.Options
	mu      sync.Mutex
	ids     int
}

// onEngines runs a test over the embedded Redis and over a real one. More is
// added to the game's file.
func onEngines(t *testing.T, more string, test func(t *testing.T, k *kit)) {
	testkit.OnEngines(t, func(t *testing.T, redis string) { test(t, newKit(t, redis, more)) })
}

func newKit(t testing.TB, address, more string) *kit {
	g := testkit.Game(t, testGame+more)
	redis := testkit.NewRedis(t, address, func(c *upstash.Config) { c.Breaker.Off = true })
	k := &kit{redis: redis, clock: testkit.Ticking(noon), rules: duel.RulesOf(g)}
	k.options = duel.Options{Redis: k.redis.Client, Game: g, Now: k.clock.Now, NewID: k.newID}
	k.Store = duel.New(k.options)
	return k
}

func (k *kit) newID() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ids++
	return fmt.Sprintf("id%d", k.ids)
}

// ready makes a duel of two players.
func (k *kit) ready(t require.TestingT, id string, a, b string) duel.Duel {
	d, err := k.Arrange(ctx, id, [2]string{a, b}, "")
	require.NoError(t, err)
	require.Equal(t, duel.Ready, d.State)
	return d
}

func score(a, b int64) *[2]int64 { return &[2]int64{a, b} }
