// Package testkit has what tests of the product are built on: both kinds of Redis behind the
// REST server, a client with a meter, a migrated Postgres, a clock, and games of a few lines.
// It knows nothing of what is tested; only tests import it.
package testkit

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/redistransport"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// patience is how long a call may take on a busy machine.
const patience = time.Minute

// plain begins the addresses of servers to which clients speak the Redis protocol instead of
// REST.
const plain = "plain "

// OnEngines runs a test against the embedded Redis, whose address is "", and against a real
// Redis of its own.
func OnEngines(t *testing.T, test func(t *testing.T, address string)) {
	t.Run("embedded", func(t *testing.T) { test(t, "") })
	t.Run("real", func(t *testing.T) { test(t, RealRedis(t)) })
}

// OnAllEngines is OnEngines with a real Redis over the Redis protocol too.
func OnAllEngines(t *testing.T, test func(t *testing.T, address string)) {
	OnEngines(t, test)
	t.Run("plain", func(t *testing.T) { test(t, plain+RealRedis(t)) })
}

// RealRedis starts a Redis that ends with the test, and returns its address.
func RealRedis(tb testing.TB) string {
	tb.Helper()
	redis, err := redisd.Start(context.Background(), redisd.Options{})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, redis.Stop()) })
	return redis.URL()
}

// Redis is a Redis behind the REST server, with a client.
type Redis struct {
	Server *upstashtest.Server
	Client *upstash.Client
	tb     testing.TB
	plain  string // the address for clients that speak the Redis protocol; "": REST
}

// NewRedis puts the REST server before the Redis at an address; "" is an embedded Redis of the
// test's own. change sets those of the client's settings that the test is about.
func NewRedis(tb testing.TB, address string, change ...func(*upstash.Config)) *Redis {
	tb.Helper()
	return OnPlan(tb, upstashtest.Options{Redis: address}, change...)
}

// OnPlan is NewRedis with other settings of the server, such as the limits of a plan.
func OnPlan(tb testing.TB, o upstashtest.Options, change ...func(*upstash.Config)) *Redis {
	tb.Helper()
	address, direct := strings.CutPrefix(o.Redis, plain)
	o.Redis = address
	r := &Redis{Server: upstashtest.Start(tb, o), tb: tb}
	if direct {
		r.plain = address
	}
	r.Client = r.Connect(change...)
	return r
}

// Connect makes another client, with a meter of its own.
func (r *Redis) Connect(change ...func(*upstash.Config)) *upstash.Client {
	r.tb.Helper()
	c := upstash.Config{URL: r.Server.URL(), Token: r.Server.Token(), Timeout: patience, TextAnswers: true}
	for _, one := range change {
		one(&c)
	}
	if r.plain != "" {
		transport, err := redistransport.New(r.plain)
		require.NoError(r.tb, err)
		r.tb.Cleanup(func() { require.NoError(r.tb, transport.Close()) })
		c.Transport = transport
	}
	client, err := upstash.New(c)
	require.NoError(r.tb, err)
	return client
}

// AtOnce makes a client retry without a pause, and return every fault.
func AtOnce(c *upstash.Config) {
	c.Breaker.Off = true
	c.Sleep = func(context.Context, time.Duration) error { return nil }
}

// Spent returns what f costs by the client's meter.
func (r *Redis) Spent(f func()) (commands, roundTrips int64) { return Spent(r.Client.Meter(), f) }

// Spent returns what f costs by a meter.
func Spent(m *upstash.Meter, f func()) (commands, roundTrips int64) {
	before := m.Usage()
	f()
	after := m.Usage()
	return after.Commands - before.Commands, after.RoundTrips - before.RoundTrips
}

// Ran returns the number of commands that Redis itself has counted, without those that read
// the count and those that set up a connection.
func (r *Redis) Ran() (n int64) {
	r.tb.Helper()
	stats, err := r.Server.Redis().CommandStats(context.Background())
	require.NoError(r.tb, err)
	for name, calls := range stats {
		switch name {
		case "info", "hello", "client":
		default:
			n += calls
		}
	}
	return n
}

// Do sends a command to Redis itself, past the client and its meter.
func (r *Redis) Do(words ...string) any {
	r.tb.Helper()
	reply, err := r.Server.Redis().Do(context.Background(), words...)
	require.NoError(r.tb, err)
	return reply
}
