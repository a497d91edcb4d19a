package queue

import (
	"context"
	"time"
)

// MostSamples is how many letters one look shows at most: SQS returns no more in one call.
const MostSamples = 10

// Letter is one message.
type Letter struct {
	ID       string
	Body     string
	Reason   string    // why it failed; empty: the queue does not know
	Sent     time.Time // when it was first sent to its original queue
	Receives int       // how often it was delivered, looks included
}

// DeadLetters holds dead letters.
type DeadLetters interface {
	// Waiting is roughly how many there are.
	Waiting(ctx context.Context) (int64, error)
	// Look shows up to MostSamples of them, and leaves them there.
	Look(ctx context.Context) ([]Letter, error)
	// Redrive begins to send all back to the queue that they came from, as new messages.
	Redrive(ctx context.Context) error
}

// Queues are those of a deployment. A nil Queue does not exist.
type Queues struct {
	Runs   DeadLetters // scheduled runs that failed for good; they cannot be sent back
	Scores DeadLetters // queued scores that could not be written
}
