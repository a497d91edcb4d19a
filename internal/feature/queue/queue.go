package queue

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
)

// Sender puts a message into a queue. It returns once the message is stored there durably.
type Sender interface {
	Send(ctx context.Context, body string) error
}

// Writer puts submissions into a queue.
type Writer struct{ Sender Sender }

// Put puts a submission into the queue. A submission that is put twice has one effect.
func (w Writer) Put(ctx context.Context, sub game.Submission) error {
	body, err := Encode(sub)
	if err != nil {
		return err
	}
	return w.Sender.Send(ctx, body)
}

// Encode makes the body of a submission's message.
func Encode(sub game.Submission) (string, error) { return game.EncodeSubmission(sub) }

// Decode reads a message's body and checks it against the game, because modes and bounds may
// have changed since it was sent.
func Decode(g *game.Game, body string) (game.Submission, error) {
	sub, _, err := game.DecodeSubmission(g, []byte(body))
	if err == nil {
		err = sub.Recheck()
	}
	if err != nil {
		return game.Submission{}, fmt.Errorf("read a queued submission: %w", err)
	}
	return sub, nil
}
