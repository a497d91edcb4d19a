package costday

import (
	"context"
	"sync"
	"sync/atomic"
)

// Requests come one after the other while a day has so few players that two at
// once would be unlikely.
const (
	playersPerHand = 25_000
	mostHands      = 4
)

// playAll does the events in their order, no more of them at once than a day of
// so many players has within a second or so. The first error ends it.
func playAll(ctx context.Context, players int, events []event, do func(ctx context.Context, e event) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var hands sync.WaitGroup
	for range min(mostHands, 1+players/playersPerHand) {
		hands.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(events) {
					return
				}
				if err := do(ctx, events[i]); err != nil {
					stop(err)
					return
				}
			}
		})
	}
	hands.Wait()
	return context.Cause(ctx)
}
