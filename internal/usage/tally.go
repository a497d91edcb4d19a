package usage

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/framedle/leaderboards/internal/archive/querymeter"
	"github.com/framedle/leaderboards/upstash"
)

// tally is what is counted while a call runs.
type tally struct {
	redis    upstash.Meter
	postgres querymeter.Meter
	accepted atomic.Int64
	drift    atomic.Pointer[float64]
	caller   atomic.Pointer[Caller]
	problems atomic.Int64
	outlasts outlasting
}

type tallyKey struct{}

// on has everything that is done with the returned context counted.
func (t *tally) on(ctx context.Context) context.Context {
	return context.WithValue(querymeter.With(upstash.WithMeter(ctx, &t.redis), &t.postgres), tallyKey{}, t)
}

// fill writes what was counted into a call.
func (t *tally) fill(c *Call) {
	spent := t.redis.Totals()
	c.Commands, c.RoundTrips, c.Sent, c.Received = spent.Commands, spent.RoundTrips, spent.BytesSent, spent.BytesReceived
	c.Queries, c.Rows = t.postgres.Read()
	c.Accepted, c.Drift, c.Problems = t.accepted.Load(), t.drift.Load(), t.problems.Load()
	if who := t.caller.Load(); who != nil {
		c.Caller = *who
	}
}

// Accepted reports that scores have changed a board to the Watch of this context, if it has
// one.
func Accepted(ctx context.Context, scores int) {
	if t, ok := ctx.Value(tallyKey{}).(*tally); ok {
		t.accepted.Add(int64(scores))
	}
}

// ReportDrift reports by which part a day's two figures differ, in either direction, to the
// Watch of this context, if it has one: 0.05 becomes 5 percent.
func ReportDrift(ctx context.Context, part float64) {
	if t, ok := ctx.Value(tallyKey{}).(*tally); ok {
		percent := 100 * math.Abs(part)
		t.drift.Store(&percent)
	}
}

// ReportProblem reports that something is wrong with the product to the Watch of this context,
// if it has one.
func ReportProblem(ctx context.Context) {
	if t, ok := ctx.Value(tallyKey{}).(*tally); ok {
		t.problems.Add(1)
	}
}
