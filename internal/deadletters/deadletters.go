// Package deadletters says what an operator may do about messages that could not be
// taken in however often they came: count them, look at some, send them back.
//
// It knows no queue; packages sqsqueue and local have some.
package deadletters

import (
	"context"
	"time"
)

// MostSamples is how many letters one look shows at most. SQS gives no more at once.
const MostSamples = 10

// Letter is one message.
type Letter struct {
	ID       string
	Body     string
	Reason   string    // why it could not be taken in; empty: the queue does not know
	Sent     time.Time // first, before it came here
	Receives int       // how often it was given to somebody, looks included
}

// Queue holds dead letters.
type Queue interface {
	// Waiting is how many there are, about.
	Waiting(ctx context.Context) (int64, error)
	// Look shows up to MostSamples of them, and leaves them there.
	Look(ctx context.Context) ([]Letter, error)
	// Redrive begins to send all back to where they came from, as new messages.
	Redrive(ctx context.Context) error
}

// Queues are those of a deployment; nil where there is none.
type Queues struct {
	Runs   Queue // scheduled runs that failed for good; they cannot be sent back
	Scores Queue // queued scores that could not be written
}
