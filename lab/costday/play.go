package costday

import (
	"context"
	"sync"
)

// Requests come one after the other while a day has so few players that two at
// once would be unlikely.
const (
	playersPerHand = 10_000
	mostHands      = 8
)

// playAll does the events in their order, no more of them at once than a day of
// so many players has within a second or so, and those of one player one after
// the other. The first error ends it.
func playAll(ctx context.Context, players int, events []event, do func(ctx context.Context, e event) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	count := min(mostHands, 1+players/playersPerHand)
	t := turns{events: events, last: map[int]chan struct{}{}, recent: make([]chan struct{}, count)}
	var hands sync.WaitGroup
	for range count {
		hands.Go(func() {
			for ctx.Err() == nil {
				e, before, done := t.next()
				if done == nil {
					return
				}
				for _, earlier := range before {
					<-earlier
				}
				err := do(ctx, e)
				close(done)
				if err != nil {
					stop(err)
					return
				}
			}
		})
	}
	hands.Wait()
	return context.Cause(ctx)
}

// turns gives events out in their order.
type turns struct {
	mu     sync.Mutex
	events []event
	given  int
	last   map[int]chan struct{} // by player: closed when the event given out last is done
	recent []chan struct{}       // of the events given out last, one for each hand
}

// next gives an event out, to be begun when those before it are done that must
// be: the player's, and the one as many places ahead as there are hands. So a hand
// that is held up holds the others up before they have gone through many events.
// The event's own channel is nil when there are no more.
func (t *turns) next() (e event, before []chan struct{}, done chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.given == len(t.events) {
		return event{}, nil, nil
	}
	e, done = t.events[t.given], make(chan struct{})
	recent := &t.recent[t.given%len(t.recent)]
	for _, earlier := range []chan struct{}{t.last[e.player], *recent} {
		if earlier != nil {
			before = append(before, earlier)
		}
	}
	t.last[e.player], *recent = done, done
	t.given++
	return e, before, done
}
