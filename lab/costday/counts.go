package costday

import (
	"context"

	"github.com/framedle/leaderboards/upstash"
)

// Counter adds up what requests spend; [Tally] is one.
type Counter interface {
	Add(route string, u upstash.Usage)
}

// counts measures requests for a Counter; a nil Counter counts nothing.
type counts struct{ counter Counter }

// metered runs a request with two meters around it. inner counts what the route's own
// code spends; everything else that is spent meanwhile is counted as the usage counters'.
func (c counts) metered(ctx context.Context, route string, do func(ctx context.Context, inner *upstash.Meter) error) error {
	if c.counter == nil {
		return do(ctx, &upstash.Meter{})
	}
	var inner, outer upstash.Meter
	err := do(upstash.WithMeter(ctx, &outer), &inner)
	own, all := inner.Usage(), outer.Usage()
	c.counter.Add(route, own)
	if all.Commands != own.Commands {
		c.counter.Add(routeCounters, less(all, own))
	}
	return err
}

// less subtracts own from all, which includes it.
func less(all, own upstash.Usage) upstash.Usage {
	left := upstash.Usage{
		Commands: all.Commands - own.Commands, RoundTrips: all.RoundTrips - own.RoundTrips,
		BytesSent: all.BytesSent - own.BytesSent, BytesReceived: all.BytesReceived - own.BytesReceived,
		ByName: map[string]int64{},
	}
	for name, n := range all.ByName {
		if n -= own.ByName[name]; n != 0 {
			left.ByName[name] = n
		}
	}
	return left
}
