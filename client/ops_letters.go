package client

import (
	"context"
	"net/http"
	"time"
)

// DeadLetters are messages that could not be processed: scheduled runs that failed three
// times, and queued scores that could not be written. A nil queue does not exist.
type DeadLetters struct {
	FailedRuns   *DeadQueue `json:"failed_runs"`
	QueuedScores *DeadQueue `json:"queued_scores"`
}

// DeadQueue is one queue of dead letters.
type DeadQueue struct {
	Count   int64        `json:"count"`
	Redrive bool         `json:"redrive"` // whether they can be sent back
	Samples []DeadLetter `json:"samples"` // up to 10, in no order
}

// DeadLetter is one message.
type DeadLetter struct {
	ID         string    `json:"id"`
	SentAt     time.Time `json:"sent_at"` // when it entered its first queue
	AgeSeconds int64     `json:"age_seconds"`
	Receives   int64     `json:"receives"`
	Reason     string    `json:"reason"`  // "" where the log alone knows
	Message    string    `json:"message"` // at most its first 4,096 bytes
}

// DeadLetters reads the dead letters and leaves them in their queues.
func (o Ops) DeadLetters(ctx context.Context) (DeadLetters, error) {
	return askOps[DeadLetters](ctx, o, http.MethodGet, "/v1/ops/dead-letters", nil, nil)
}

// Redrive sends back queued scores that could not be written, and returns their number. Scores
// that were written before do not count twice.
func (o Ops) Redrive(ctx context.Context) (int64, error) {
	said, err := askOps[struct {
		SentBack int64 `json:"sent_back"`
	}](ctx, o, http.MethodPost, "/v1/ops/dead-letters/redrive", nil, nil)
	return said.SentBack, err
}
