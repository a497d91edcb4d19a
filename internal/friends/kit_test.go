package friends_test

import (
	"context"
	"flag"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/friends"
	"github.com/framedle/leaderboards/internal/friends/lists"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// TestMain keeps property tests short: each step is some round trips.
func TestMain(m *testing.M) {
	flag.Parse()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for name, value := range map[string]string{"rapid.checks": "25", "rapid.steps": "20", "rapid.nofailfile": "true"} {
		if !given[name] {
			_ = flag.Set(name, value)
		}
	}
	os.Exit(m.Run())
}

var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

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

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// kit is the service over a real Postgres and an embedded Redis.
type kit struct {
	*friends.Service
	archive *archive.Archive
	lists   *lists.Lists
	redis   *upstashtest.Server
	client  *upstash.Client
	clock   *clock
}

func newKit(t testing.TB) *kit {
	t.Helper()
	a, err := archive.Open(archive.Options{URL: archivetest.Database(t), Connections: 8})
	require.NoError(t, err)
	t.Cleanup(func() { a.Close(context.Background()) })
	server := upstashtest.Start(t, upstashtest.Options{})
	client, err := upstash.New(upstash.Config{
		URL: server.URL(), Token: server.Token(), Breaker: upstash.Breaker{Off: true},
		Sleep: func(context.Context, time.Duration) error { return nil },
	})
	require.NoError(t, err)
	k := &kit{archive: a, lists: lists.New(client), redis: server, client: client, clock: &clock{now: noon}}
	k.Service = friends.System(a.Friends, k.lists, k.clock.Now)
	return k
}

func (k *kit) act(t require.TestingT, action friends.Action, player, other string) friends.Outcome {
	outcome, err := k.Act(context.Background(), action, player, other)
	require.NoError(t, err)
	return outcome
}

// befriend makes two players friends.
func (k *kit) befriend(t require.TestingT, a, b string) {
	k.act(t, friends.Ask, a, b)
	require.Equal(t, friends.Friends, k.act(t, friends.Accept, b, a))
}

// listed are a player's friends as boards see them.
func (k *kit) listed(t require.TestingT, player string) []string {
	players, err := k.lists.Read(context.Background(), player)
	require.NoError(t, err)
	require.Contains(t, players, player)
	return slices.DeleteFunc(players, func(id string) bool { return id == player })
}
