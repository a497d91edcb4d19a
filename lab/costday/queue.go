package costday

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/template"
)

// gatherings is how many batches gather at the same time: MaximumConcurrency of the
// function ingest in template.yaml.
const gatherings = 2

// routeIngest is the route under which writing queued scores is counted.
const routeIngest = "ingest"

// scoreQueue is the queue of a day in queue mode. As in a deployment, a batch gathers
// from its first message until its window ends or it is full, and several batches gather
// at the same time. A nil scoreQueue is no queue.
type scoreQueue struct {
	window time.Duration
	most   int // messages of a batch
	now    func() time.Time
	take   func(context.Context, []host.QueueMessage) error

	mu      sync.Mutex
	sent    int
	batches [gatherings]gathering
}

type gathering struct {
	messages []host.QueueMessage
	until    time.Time // when they are delivered
}

var errNoQueue = fmt.Errorf("template.yaml has no queue for the function %s", functionIngest)

// queueOf returns the queue for scores of template.yaml; a product without one has the zero Queue.
func queueOf(t *template.Template) template.Queue {
	for _, f := range t.Functions {
		if f.Name == functionIngest && len(f.Queues) == 1 {
			return f.Queues[0]
		}
	}
	return template.Queue{}
}

func newQueue(window time.Duration, most int, now func() time.Time) *scoreQueue {
	return &scoreQueue{window: window, most: most, now: now}
}

// Send puts messages into the batches in turn.
func (q *scoreQueue) Send(_ context.Context, body string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.sent++
	b := &q.batches[q.sent%gatherings]
	if len(b.messages) == 0 {
		b.until = q.now().Add(q.window)
	}
	b.messages = append(b.messages, host.QueueMessage{ID: strconv.Itoa(q.sent), Body: body, Receives: 1})
	if len(b.messages) >= q.most {
		b.until = q.now()
	}
	return nil
}

// next is when the next batch is delivered, and the function that delivers it; nil if
// no batch gathers.
func (q *scoreQueue) next() (at time.Time, deliver func(context.Context) error) {
	if q == nil {
		return time.Time{}, nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	var next *gathering
	for i := range q.batches {
		if b := &q.batches[i]; len(b.messages) > 0 && (next == nil || b.until.Before(next.until)) {
			next = b
		}
	}
	if next == nil {
		return time.Time{}, nil
	}
	return next.until, func(ctx context.Context) error {
		q.mu.Lock()
		messages := next.messages
		next.messages = nil
		q.mu.Unlock()
		for some := range slices.Chunk(messages, q.most) {
			if err := q.take(ctx, some); err != nil {
				return err
			}
		}
		return nil
	}
}

// waiting changes a plan so that players look at their own standing one window later,
// when their scores have been written. Without a window the plan stays the same.
func waiting(events []event, window time.Duration) []event {
	if window == 0 {
		return events
	}
	for i, e := range events {
		if e.act != submits && e.act != looks {
			events[i].at += window
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	return events
}
