package usage_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// function is one process of a function that spends what it is asked to.
type function struct {
	watch  *usage.Watch
	client *upstash.Client
	now    *testkit.Clock
}

func newFunction(client *upstash.Client, now *testkit.Clock, name, process string) function {
	return function{usage.New(usage.Options{Function: name, Now: now.Now, Counters: usage.NewCounters(client, name, process)}), client, now}
}

// call has the function spend commands, and answer a status.
func (f function) call(t require.TestingT, ctx context.Context, commands, status int) {
	f.watch.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		require.NoError(t, spend(r.Context(), f.client, commands))
		w.WriteHeader(status)
	})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/", nil))
}

// known is what a ledger knows of a function today.
func known(t require.TestingT, ctx context.Context, client *upstash.Client, name string) usage.Count {
	days, err := usage.NewLedger(client, nil).Days(ctx, today, today)
	require.NoError(t, err)
	return days[0].ByFunction[name]
}

// Any calls in any order: once written, the counters say what the client's own meter does, but
// for the last writes, which no later write reports.
func TestCountersSayWhatTheMeterDoes(t *testing.T) {
	redis := testkit.NewRedis(t, "")
	rapid.Check(t, func(rt *rapid.T) {
		redis.Do("FLUSHALL")
		client := redis.Connect()
		now := testkit.Still(noon)
		processes := []function{newFunction(client, now, "submit", "p1"), newFunction(client, now, "submit", "p2"), newFunction(client, now, "me", "p1")}
		calls := rapid.IntRange(0, 30).Draw(rt, "calls")
		for range calls {
			f := processes[rapid.IntRange(0, 2).Draw(rt, "process")]
			f.call(rt, t.Context(), rapid.IntRange(0, 120).Draw(rt, "commands"), 200)
			now.Pass(time.Duration(rapid.IntRange(0, 200).Draw(rt, "seconds")) * time.Second)
		}
		for _, f := range processes {
			f.call(rt, t.Context(), 20, 200)
		}
		var last upstash.Meter
		before := client.Meter().Usage()
		for _, f := range processes {
			require.NoError(rt, f.watch.Close(upstash.WithMeter(t.Context(), &last)))
		}
		require.Equal(rt, before.Commands+last.Usage().Commands, client.Meter().Usage().Commands)
		sum := known(rt, t.Context(), client, "submit")
		sum.Add(known(rt, t.Context(), client, "me"))
		// What a process's last call has had written leaves it with that write alone.
		untold := 3 - last.Usage().RoundTrips
		require.Equal(rt, before.Commands, sum.Commands+untold)
		require.Equal(rt, before.RoundTrips, sum.RoundTrips+untold)
		if untold == 0 {
			require.Equal(rt, before.BytesSent, sum.Sent)
			require.Equal(rt, before.BytesReceived, sum.Received)
		}
	})
}

func TestAProcessThatEndsWritesWhatIsWorthIt(t *testing.T) {
	_, client := connect(t)
	for process, test := range map[string]struct{ spent, told int }{"little": {19, 0}, "enough": {20, 20}} {
		f := newFunction(client, testkit.Still(noon), process, "p")
		f.call(t, t.Context(), test.spent, 200)
		before := client.Meter().Usage().Commands
		require.NoError(t, f.watch.Close(t.Context()))
		require.NoError(t, f.watch.Close(t.Context()))
		require.EqualValues(t, test.told/20, client.Meter().Usage().Commands-before)
		require.EqualValues(t, test.told, known(t, t.Context(), client, process).Commands)
	}
}

func TestWritesAreAtMostOnePercentOfTheBill(t *testing.T) {
	server, client := connect(t)
	now := testkit.Still(noon)
	f := newFunction(client, now, "submit", "p")
	writes := func() int64 {
		stats, err := server.Redis().CommandStats(t.Context())
		require.NoError(t, err)
		return stats["hset"]
	}
	f.call(t, t.Context(), 99, 200)
	require.Zero(t, writes(), "99 commands are not worth a write")
	f.call(t, t.Context(), 1, 200)
	require.EqualValues(t, 1, writes())
	for range 10 {
		f.call(t, t.Context(), 100, 200)
	}
	require.EqualValues(t, 1, writes(), "5 minutes have not passed")
	now.Pass(5 * time.Minute)
	f.call(t, t.Context(), 0, 200)
	require.EqualValues(t, 2, writes())
	now.Pass(5 * time.Minute)
	f.call(t, t.Context(), 98, 200)
	require.EqualValues(t, 2, writes(), "with the last write's own, these are 99")
	f.call(t, t.Context(), 1, 200)
	require.EqualValues(t, 3, writes())
	got := known(t, t.Context(), client, "submit")
	require.EqualValues(t, 15, got.Calls)
	require.EqualValues(t, 1201, got.Commands, "1199, and two writes that were told of by the next")
	require.EqualValues(t, 16, got.RoundTrips)
}

func TestAWriteThatFailsIsMadeUpForAndKeepsNoCallerFromTheAnswer(t *testing.T) {
	server, client := connect(t)
	now := testkit.Still(noon)
	f := newFunction(client, now, "submit", "p")
	f.call(t, t.Context(), 99, 503)
	server.Inject(func(upstashtest.Request) upstashtest.Fault { return upstashtest.Fault{Status: 500} })
	f.watch.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = spend(r.Context(), client, 1)
		w.WriteHeader(http.StatusTooManyRequests)
	})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
	server.Inject(nil)
	require.Zero(t, known(t, t.Context(), client, "submit"))
	now.Pass(5 * time.Minute)
	f.call(t, t.Context(), 0, 200)
	got := known(t, t.Context(), client, "submit")
	require.EqualValues(t, 3, got.Calls)
	require.EqualValues(t, 1, got.Failed)
	require.EqualValues(t, 2, got.Throttled)
	require.GreaterOrEqual(t, got.Commands, int64(100))
}

func TestADayThatEndsIsWrittenWithTheNext(t *testing.T) {
	_, client := connect(t)
	now := testkit.Still(noon)
	f := newFunction(client, now, "submit", "p")
	f.call(t, t.Context(), 60, 200)
	now.Pass(24 * time.Hour)
	f.call(t, t.Context(), 60, 200)
	days, err := usage.NewLedger(client, nil).Days(t.Context(), today, today.AddDays(1))
	require.NoError(t, err)
	require.EqualValues(t, 60, days[0].Total().Commands)
	require.EqualValues(t, 60, days[1].Total().Commands)
	now.Pass(24 * time.Hour)
	f.call(t, t.Context(), 20, 200)
	require.NoError(t, f.watch.Close(t.Context()), "the cost of the write was yesterday's")
	days, err = usage.NewLedger(client, nil).Days(t.Context(), today, today.AddDays(2))
	require.NoError(t, err)
	require.EqualValues(t, 60, days[0].Total().Commands)
	require.EqualValues(t, 62, days[1].Total().Commands)
	require.EqualValues(t, 20, days[2].Total().Commands)
}
