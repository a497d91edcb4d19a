package queue

import (
	"context"

	"github.com/framedle/leaderboards/internal/board"
)

// Sender puts a message into a queue. It returns once the message is safe there.
type Sender interface {
	Send(ctx context.Context, body string) error
}

// Writer puts submissions into a queue.
type Writer struct{ Sender Sender }

// Put puts a submission into the queue. One that is put twice has one effect.
func (w Writer) Put(ctx context.Context, sub board.Submission) error {
	body, err := Encode(sub)
	if err != nil {
		return err
	}
	return w.Sender.Send(ctx, body)
}
