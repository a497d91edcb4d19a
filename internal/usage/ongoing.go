package usage

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/upstash"
)

// Ongoing is the route of what is done for viewers of live boards.
const Ongoing = "live"

// Ongoing meters what a process goes on doing for viewers, which is no request's:
// everything that is done with the returned context. What it has cost since is recorded
// by tell, as one call; tell is for one goroutine, and records nothing where it was
// nothing.
func (w *Watch) Ongoing(ctx context.Context) (within context.Context, tell func()) {
	meter, began := new(upstash.Meter), w.Now()
	var told upstash.Usage
	within = upstash.WithMeter(ctx, meter)
	return within, func() {
		spent := meter.Usage()
		if spent.RoundTrips == told.RoundTrips {
			return
		}
		now := w.Now()
		w.record(ctx, Call{
			Route: Ongoing, Caller: Caller{Kind: Viewers}, Status: http.StatusOK,
			Commands: spent.Commands - told.Commands, RoundTrips: spent.RoundTrips - told.RoundTrips,
			Sent: spent.BytesSent - told.BytesSent, Received: spent.BytesReceived - told.BytesReceived,
		}, began)
		told, began = spent, now
	}
}
