package usage

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/upstash"
)

// Ongoing is the route of work for viewers of live boards.
const Ongoing = "live"

// Ongoing meters the work that a process does for viewers outside any request: everything that
// is done with the returned context. Tell records what that work has cost since tell was last
// called, as one call; if it has cost nothing, tell records nothing. Only one goroutine may
// call tell.
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
