package costday

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/host"
	"github.com/framedle/leaderboards/internal/template"
	"github.com/framedle/leaderboards/upstash"
)

// gatherings is how many batches gather at a time, template.yaml's
// MaximumConcurrency of the function ingest.
const gatherings = 2

// routeIngest is the function that writes what was queued.
const routeIngest = "ingest"

// scoreQueue is the queue of a day in queue mode. As with the deployed one, a
// batch gathers from its first message on until its window ends or it is full,
// and there are several at a time, each for a process of its own. Nil is none.
type scoreQueue struct {
	window time.Duration
	most   int // messages of a batch
	now    func() time.Time

	mu      sync.Mutex
	sent    int
	batches [gatherings]gathering
}

type gathering struct {
	take     func(context.Context, []host.QueueMessage) error
	messages []host.QueueMessage
	until    time.Time
}

// queueOf is the queue that template.yaml has for scores.
func queueOf(t *template.Template) (template.Queue, error) {
	for _, f := range t.Functions {
		if f.Name == routeIngest && len(f.Queues) == 1 {
			return f.Queues[0], nil
		}
	}
	return template.Queue{}, fmt.Errorf("template.yaml has no queue for the function %s", routeIngest)
}

// newQueue starts the processes that write what comes out of a queue.
func (s *run) newQueue(window time.Duration, to counts) (*scoreQueue, error) {
	q := &scoreQueue{window: window, most: s.queue.BatchSize, now: s.clock.Now}
	for i := range q.batches {
		a, err := s.start()
		if err != nil {
			return nil, err
		}
		q.batches[i].take = ingest(a, to)
	}
	return q, nil
}

// ingest is what the function of that name does, every score of which must be
// written.
func ingest(a *app.App, to counts) func(context.Context, []host.QueueMessage) error {
	in, watch := a.Ingest(), a.Watch(routeIngest)
	return func(ctx context.Context, messages []host.QueueMessage) error {
		return to.metered(ctx, routeIngest, func(ctx context.Context, inner *upstash.Meter) error {
			_, err := watch.Scheduled(func(ctx context.Context, _ time.Time) (any, error) {
				failed, err := in.Take(upstash.WithMeter(ctx, inner), messages)
				if err == nil && len(failed) > 0 {
					err = fmt.Errorf("%d of %d queued scores could not be written", len(failed), len(messages))
				}
				return nil, err
			})(ctx, time.Time{})
			return err
		})
	}
}

// Send puts a message into one batch after the other.
func (q *scoreQueue) Send(_ context.Context, body string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.sent++
	b := &q.batches[q.sent%gatherings]
	if len(b.messages) == 0 {
		b.until = q.now().Add(q.window)
	}
	b.messages = append(b.messages, host.QueueMessage{ID: strconv.Itoa(q.sent), Body: body, Receives: 1})
	return nil
}

// deliver has the batches written whose window has ended by then, or which are
// full. When it returns they are, whoever was at it.
func (q *scoreQueue) deliver(ctx context.Context, now time.Time) error {
	if q == nil {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range q.batches {
		b := &q.batches[i]
		if len(b.messages) == 0 || len(b.messages) < q.most && b.until.After(now) {
			continue
		}
		for some := range slices.Chunk(b.messages, q.most) {
			if err := b.take(ctx, some); err != nil {
				return err
			}
		}
		b.messages = nil
	}
	return nil
}

// waiting is a plan whose players look for their own standing when their scores
// have been written, a window later. Without a window it is the same plan.
func waiting(events []event, window time.Duration) []event {
	if window == 0 {
		return events
	}
	for i, e := range events {
		if e.act == looksAround || e.act == looksAtFriends {
			events[i].at += window
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	return events
}
