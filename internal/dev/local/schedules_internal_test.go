package local

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/platform/template"
)

func parsed(t require.TestingT, expression string) template.Expression {
	s, err := template.ParseExpression(expression)
	require.NoError(t, err)
	return s
}

func moment(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	require.NoError(t, err)
	return at
}

func TestLatestIsTheLastOfAllDueTimes(t *testing.T) {
	expressions := []string{"cron(20 0 * * ? *)", "cron(30 0 ? * MON *)", "rate(7 minutes)", "cron(0 12 29 2 ? 2028)", "cron(* 3 1 1 ? *)"}
	rapid.Check(t, func(t *rapid.T) {
		s := parsed(t, rapid.SampledFrom(expressions).Draw(t, "expression"))
		after := time.Unix(rapid.Int64Range(1_700_000_000, 1_900_000_000).Draw(t, "after"), 0).UTC()
		until := after.Add(time.Duration(rapid.Int64Range(-3600, 60*86400).Draw(t, "seconds")) * time.Second)
		var want time.Time
		for next := s.Next(after); !next.IsZero() && !next.After(until); next = s.Next(next) {
			want = next
		}
		require.Equal(t, want, latest(s, after, until))
	})
}

// followed lets a follower of a clock run and gives what it fires.
func followed(t *testing.T, c *Clock, expression string) <-chan time.Time {
	t.Helper()
	fired := make(chan time.Time, 100)
	start, _ := c.watch()
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() {
		follow(ctx, c, start, parsed(t, expression), func(due time.Time) { fired <- due })
	})
	t.Cleanup(func() { cancel(); done.Wait() })
	return fired
}

// set moves a clock and waits until its only follower has seen it.
func set(t *testing.T, c *Clock, text string) {
	t.Helper()
	c.Set(moment(t, text))
	require.Eventually(t, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.moved != nil
	}, time.Minute, time.Millisecond)
}

func TestAClockSetForwardFiresTheLatestDueTimeOnce(t *testing.T) {
	c := &Clock{}
	c.Set(moment(t, "2027-01-01T10:00:00Z"))
	fired := followed(t, c, "cron(20 0 * * ? *)")
	set(t, c, "2027-01-01T23:00:00Z") // nothing was due
	set(t, c, "2027-01-05T10:00:00Z")
	require.Equal(t, moment(t, "2027-01-05T00:20:00Z"), <-fired)
	set(t, c, "2027-01-05T11:00:00Z")
	set(t, c, "2027-01-06T00:20:00Z")
	require.Equal(t, moment(t, "2027-01-06T00:20:00Z"), <-fired)
	require.Empty(t, fired)
}

func TestAClockSetBackFiresNothingAndIsArmedAnew(t *testing.T) {
	c := &Clock{}
	c.Set(moment(t, "2027-01-05T10:00:00Z"))
	fired := followed(t, c, "cron(20 0 * * ? *)")
	set(t, c, "2027-01-02T10:00:00Z")
	set(t, c, "2027-01-02T12:00:00Z")
	set(t, c, "2027-01-03T12:00:00Z")
	require.Equal(t, moment(t, "2027-01-03T00:20:00Z"), <-fired)
	require.Empty(t, fired)
}

func TestAClockThatStepsOverADueTimeFires(t *testing.T) {
	c := &Clock{}
	c.Set(moment(t, "2027-01-05T00:19:59.99995Z"))
	fired := followed(t, c, "cron(20 0 * * ? *)")
	c.Now()
	require.Equal(t, moment(t, "2027-01-05T00:20:00Z"), <-fired)
}

func TestAScheduledRunIsLoggedWithItsResultOrError(t *testing.T) {
	due := moment(t, "2027-01-05T00:20:00Z")
	for name, test := range map[string]struct {
		run  func(context.Context, time.Time) (any, error)
		says string
	}{
		"a result": {func(_ context.Context, at time.Time) (any, error) { return at, nil },
			`"msg":"schedule fired","function":"cron-daily","due":"2027-01-05T00:20:00Z","result":"2027-01-05T00:20:00Z"`},
		"an error": {func(context.Context, time.Time) (any, error) { return nil, errors.New("redis is away") },
			`"msg":"schedule failed","function":"cron-daily","due":"2027-01-05T00:20:00Z","error":"redis is away"`},
		"a panic": {func(context.Context, time.Time) (any, error) { panic("oh") }, `"msg":"schedule failed"`},
		"no end": {func(ctx context.Context, _ time.Time) (any, error) { <-ctx.Done(); return nil, ctx.Err() },
			`"error":"context deadline exceeded"`},
	} {
		t.Run(name, func(t *testing.T) {
			f := &function{name: "cron-daily", run: test.run, timeout: time.Minute}
			if name == "no end" {
				f.timeout = time.Millisecond
			}
			var log bytes.Buffer
			f.fire(t.Context(), due, &log)
			require.Contains(t, log.String(), test.says)
		})
	}
}

func TestAFunctionRunsOnceAtATime(t *testing.T) {
	var now, most atomic.Int32
	f := &function{timeout: time.Minute, run: func(context.Context, time.Time) (any, error) {
		most.Store(max(most.Load(), now.Add(1)))
		defer now.Add(-1)
		return nil, nil
	}}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { _, _ = f.scheduled(t.Context(), time.Time{}) })
	}
	all.Wait()
	require.EqualValues(t, 1, most.Load())
}

func TestWhatIsRememberedAgesAsFarAsTheClockIsMoved(t *testing.T) {
	c := &Clock{}
	elapsed := c.Elapsed()
	c.Set(moment(t, "2026-11-21T00:00:00Z"))
	before := elapsed()
	c.Set(moment(t, "2026-11-21T03:00:00Z"))
	forward := elapsed()
	require.InDelta(t, 3*time.Hour, forward-before, float64(time.Minute))
	c.Set(moment(t, "2026-11-21T02:00:00Z"))
	require.InDelta(t, time.Hour, elapsed()-forward, float64(time.Minute), "it never moves back")
}
