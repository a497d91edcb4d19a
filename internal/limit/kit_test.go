package limit_test

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/limit"
	"github.com/framedle/leaderboards/internal/redisd"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// noon is the beginning of a slot.
var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

// clock stands still until it is moved.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// memory is a Store without Redis, for laws over many moments: keys never
// expire, which only matters to those who look for them.
type memory struct {
	mu     sync.Mutex
	counts map[string]int
	pauses map[string]int64
	asked  int
	cost   int // in commands
	err    error
}

func askCost(a limit.Ask, commands bool) int {
	switch {
	case !a.Create:
		return 1
	case commands:
		return 3
	}
	return 2
}

func newMemory() *memory { return &memory{counts: map[string]int{}, pauses: map[string]int64{}} }

func (m *memory) Exchange(_ context.Context, asks []limit.Ask) ([]limit.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked++
	if m.err != nil {
		return nil, m.err
	}
	answers := make([]limit.Answer, len(asks))
	for i, a := range asks {
		key := func(slot int64) string { return a.Rule.Name + a.Caller + strconv.FormatInt(slot, 10) }
		if a.Rule.Pause {
			if until := m.pauses[key(0)]; until > a.Now {
				answers[i].Until = until
				continue
			}
			m.pauses[key(0)] = a.Now + int64(a.Rule.Window)
			continue
		}
		_, exists := m.counts[key(a.Slot)]
		always := strings.HasPrefix(a.Rule.Name, string(limit.Commands)+"-")
		m.cost += askCost(a, always)
		if answers[i].Created = a.Create && (always || !exists); answers[i].Created || !a.Create {
			m.counts[key(a.Slot)] += a.Tell
		}
		answers[i].Count = m.counts[key(a.Slot)]
		for before := range answers[i].Before {
			answers[i].Before[before] = m.counts[key(a.Slot-1-int64(before))]
		}
	}
	return answers, nil
}

// submits are limits of the class submit alone.
func submits(l game.CallerLimits) game.Limits {
	if l.RedisDown == "" {
		l.RedisDown = game.Open
	}
	return game.Limits{Submit: l}
}

func aMinute(n int) game.Rate { return game.Rate{Count: n, Window: time.Minute} }

func player(id string) limit.Caller { return limit.Caller{Player: id} }

func take(tb require.TestingT, l *limit.Limiter, who limit.Caller) limit.Decision {
	d, err := l.Take(context.Background(), limit.Submit, who)
	require.NoError(tb, err)
	return d
}

// passed makes n requests and tells how many passed.
func passed(tb require.TestingT, l *limit.Limiter, who limit.Caller, n int) (granted int) {
	for range n {
		if take(tb, l, who).Allowed {
			granted++
		}
	}
	return granted
}

// redis is a Redis behind the REST server, with as many processes before it as
// a test asks for.
type redis struct {
	tb     testing.TB
	server *upstashtest.Server
	client *upstash.Client
	clock  *clock
}

// onEngines runs a test over the embedded Redis and over a real one.
func onEngines(t *testing.T, test func(t *testing.T, r *redis)) {
	t.Run("embedded", func(t *testing.T) { test(t, newRedis(t, "")) })
	t.Run("real", func(t *testing.T) {
		server, err := redisd.Start(context.Background(), redisd.Options{})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, server.Stop()) })
		test(t, newRedis(t, server.URL()))
	})
}

func newRedis(tb testing.TB, url string) *redis {
	server := upstashtest.Start(tb, upstashtest.Options{Redis: url})
	client, err := upstash.New(upstash.Config{
		URL: server.URL(), Token: server.Token(), Breaker: upstash.Breaker{Off: true},
		Sleep: func(context.Context, time.Duration) error { return nil },
	})
	require.NoError(tb, err)
	return &redis{tb, server, client, &clock{now: noon}}
}

// process is a Limiter with a memory of its own.
func (r *redis) process(l game.Limits) *limit.Limiter {
	return limit.New(limit.Options{Limits: l, Store: limit.NewRedis(r.client), Now: r.clock.Now})
}

// spent is what f costs by the client's meter.
func (r *redis) spent(f func()) (commands, roundTrips int64) {
	before := r.client.Meter().Usage()
	f()
	after := r.client.Meter().Usage()
	return after.Commands - before.Commands, after.RoundTrips - before.RoundTrips
}

func (r *redis) keys() []string {
	found, err := r.server.Redis().Do(context.Background(), "KEYS", "*")
	require.NoError(r.tb, err)
	var keys []string
	for _, key := range found.([]any) {
		keys = append(keys, key.(string))
	}
	return keys
}
