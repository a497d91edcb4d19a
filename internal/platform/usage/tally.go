package usage

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/framedle/leaderboards/internal/platform/trace"
	"github.com/framedle/leaderboards/upstash"
)

// tally counts what a call spends and reports while it runs.
type tally struct {
	redis    upstash.Meter
	postgres trace.QueryMeter
	accepted atomic.Int64
	drift    atomic.Pointer[float64]
	caller   atomic.Pointer[Caller]
	problems atomic.Int64
	outlasts outlasting
}

type tallyKey struct{}

// on returns a context whose use is counted.
func (t *tally) on(ctx context.Context) context.Context {
	return context.WithValue(trace.WithQueries(upstash.WithMeter(ctx, &t.redis), &t.postgres), tallyKey{}, t)
}

// fill copies the counts into a call.
func (t *tally) fill(c *Call) {
	spent := t.redis.Totals()
	c.Commands, c.RoundTrips, c.Sent, c.Received = spent.Commands, spent.RoundTrips, spent.BytesSent, spent.BytesReceived
	c.Queries, c.Rows = t.postgres.Read()
	c.Accepted, c.Drift, c.Problems = t.accepted.Load(), t.drift.Load(), t.problems.Load()
	if who := t.caller.Load(); who != nil {
		c.Caller = *who
	}
}

// Accepted tells the Watch of this context how many scores have changed a board. Without a
// Watch it does nothing.
func Accepted(ctx context.Context, scores int) {
	if t, ok := ctx.Value(tallyKey{}).(*tally); ok {
		t.accepted.Add(int64(scores))
	}
}

// ReportDrift tells the Watch of this context by which part a day's two figures differ, in
// either direction: 0.05 becomes 5 percent. Without a Watch it does nothing.
func ReportDrift(ctx context.Context, part float64) {
	if t, ok := ctx.Value(tallyKey{}).(*tally); ok {
		percent := 100 * math.Abs(part)
		t.drift.Store(&percent)
	}
}

// ReportProblem tells the Watch of this context that something is wrong with the product.
// Without a Watch it does nothing.
func ReportProblem(ctx context.Context) {
	if t, ok := ctx.Value(tallyKey{}).(*tally); ok {
		t.problems.Add(1)
	}
}
