// This file is a queue in memory with the contract of an SQS queue and Lambda's event
// source mapping: a batch is collected for a window, failed messages are delivered again
// after a visibility timeout, and messages that fail too often become dead letters. It is for
// development and tests: messages that are still waiting when the process ends are lost.
//
// It must not know what a message holds.

package queue

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/platform/host"
)

// ErrFull is returned when as many messages wait as the queue holds.
var ErrFull = errors.New("the queue is full")

// Options are what New makes a Queue of. All fields are required; Batch and Take only for
// Run.
type Options struct {
	Batch       int           // most messages in a batch
	Window      time.Duration // how long a batch is collected that is not full
	Visibility  time.Duration // until a failed message is delivered again; bounds a call of Take
	MaxReceives int           // how often a message is delivered before it becomes a dead letter
	Capacity    int           // most messages that wait, and most dead letters that are kept
	Take        host.QueueFunc
}

// Queue is a queue in memory. It is safe for concurrent use.
type Queue struct {
	Options
	mu     sync.Mutex
	sent   int                 // messages so far
	ready  []host.QueueMessage // in the order of arrival
	hidden []hiddenMessage     // in the order in which they are due again
	dead   []host.QueueMessage
	grew   chan struct{} // holds a token after messages have arrived
}

type hiddenMessage struct {
	host.QueueMessage
	until time.Time
}

// New makes a Queue. It delivers nothing before Run.
func New(o Options) *Queue { return &Queue{Options: o, grew: make(chan struct{}, 1)} }

// Send puts a message into the queue.
func (q *Queue) Send(_ context.Context, body string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ready)+len(q.hidden) >= q.Capacity {
		return ErrFull
	}
	q.sent++
	q.ready = append(q.ready, host.QueueMessage{ID: "message-" + strconv.Itoa(q.sent), Body: body, Sent: time.Now()})
	q.notify()
	return nil
}

func (q *Queue) notify() {
	select {
	case q.grew <- struct{}{}:
	default:
	}
}

// Run delivers batches to Take, one after the other, until ctx ends; then it delivers at once
// what is waiting. It returns how many messages are left.
func (q *Queue) Run(ctx context.Context) (left int) {
	taking := context.WithoutCancel(ctx)
	for q.wait(ctx, 1, nil) {
		window := time.NewTimer(q.Window)
		q.wait(ctx, q.Batch, window.C)
		window.Stop()
		q.deliver(taking)
	}
	for q.deliver(taking) {
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.hidden)
}

// wait returns when enough messages are waiting, or up fires; false when ctx has ended.
func (q *Queue) wait(ctx context.Context, enough int, up <-chan time.Time) bool {
	for ctx.Err() == nil {
		count, next := q.count()
		if count >= enough {
			return true
		}
		var again <-chan time.Time
		if !next.IsZero() {
			again = time.After(time.Until(next))
		}
		select {
		case <-ctx.Done():
		case <-up:
			return true
		case <-q.grew:
		case <-again:
		}
	}
	return false
}

// count returns how many messages can be delivered, and when the next one can.
func (q *Queue) count() (ready int, next time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.hidden) > 0 && !q.hidden[0].until.After(time.Now()) {
		q.ready = append(q.ready, q.hidden[0].QueueMessage)
		q.hidden = q.hidden[1:]
	}
	if len(q.hidden) > 0 {
		next = q.hidden[0].until
	}
	return len(q.ready), next
}

// deliver delivers one batch; false if no message was waiting.
func (q *Queue) deliver(ctx context.Context) bool {
	q.mu.Lock()
	n := min(len(q.ready), q.Batch)
	batch := slices.Clone(q.ready[:n])
	q.ready = q.ready[n:]
	q.mu.Unlock()
	if n == 0 {
		return false
	}
	for i := range batch {
		batch[i].Receives++
	}
	until := time.Now().Add(q.Visibility)
	ctx, cancel := context.WithDeadline(ctx, until)
	failed, err := q.Take(ctx, slices.Clone(batch))
	cancel()
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, m := range batch {
		switch {
		case err == nil && !slices.Contains(failed, m.ID):
		case m.Receives < q.MaxReceives:
			q.hidden = append(q.hidden, hiddenMessage{m, until})
		case len(q.dead) < q.Capacity:
			q.dead = append(q.dead, m)
		}
	}
	return true
}

// Waiting is how many messages are still to be delivered.
func (q *Queue) Waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.ready) + len(q.hidden)
}

// Dead lists the dead letters, oldest first.
func (q *Queue) Dead() []host.QueueMessage {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.dead)
}

// Redrive puts the dead letters back into the queue as new messages, and returns how many
// they are.
func (q *Queue) Redrive() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.dead)
	for _, m := range q.dead {
		m.Receives = 0
		q.ready = append(q.ready, m)
	}
	q.dead = nil
	if n > 0 {
		q.notify()
	}
	return n
}
