package client

import (
	"context"
	"net/http"
	"time"
)

// DeadLetters are what could not be taken in: scheduled runs that failed three times, and
// queued scores that could not be written. Nil where there is no such queue.
type DeadLetters struct {
	FailedRuns   *DeadQueue `json:"failed_runs"`
	QueuedScores *DeadQueue `json:"queued_scores"`
}

// DeadQueue is one of the two.
type DeadQueue struct {
	Count   int64        `json:"count"`
	Redrive bool         `json:"redrive"` // whether they can be sent back
	Samples []DeadLetter `json:"samples"` // up to 10, in no order
}

// DeadLetter is one message.
type DeadLetter struct {
	ID         string    `json:"id"`
	SentAt     time.Time `json:"sent_at"` // when it came into its first queue
	AgeSeconds int64     `json:"age_seconds"`
	Receives   int64     `json:"receives"`
	Reason     string    `json:"reason"`  // "" where the log alone knows
	Message    string    `json:"message"` // up to 4,096 bytes of it
}

// DeadLetters looks at what could not be taken in, and leaves it where it is.
func (o Ops) DeadLetters(ctx context.Context) (DeadLetters, error) {
	return askOps[DeadLetters](ctx, o, http.MethodGet, "/v1/ops/dead-letters", nil, nil)
}

// Redrive sends queued scores back that could not be written, and returns how many there
// were. Nothing of what was written before counts twice.
func (o Ops) Redrive(ctx context.Context) (int64, error) {
	said, err := askOps[struct {
		SentBack int64 `json:"sent_back"`
	}](ctx, o, http.MethodPost, "/v1/ops/dead-letters/redrive", nil, nil)
	return said.SentBack, err
}
