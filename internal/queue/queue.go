package queue

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/game"
)

// Sender puts a message into a queue. It returns once the message is safe there.
type Sender interface {
	Send(ctx context.Context, body string) error
}

// Writer puts submissions into a queue.
type Writer struct{ Sender Sender }

// Put puts a submission into the queue. One that is put twice has one effect.
func (w Writer) Put(ctx context.Context, sub game.Submission) error {
	body, err := Encode(sub)
	if err != nil {
		return err
	}
	return w.Sender.Send(ctx, body)
}

// Encode is the body of a submission's message.
func Encode(sub game.Submission) (string, error) { return game.EncodeSubmission(sub) }

// Decode reads a message's body and holds it against the game, whose modes and
// bounds may have changed since.
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
