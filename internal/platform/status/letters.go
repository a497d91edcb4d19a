package status

import (
	"context"
	"time"
)

// DeadLetters count the messages that wait for an operator. A nil function means that there
// is no such queue.
type DeadLetters struct {
	Runs   func(context.Context) (int64, error) // scheduled runs that failed permanently
	Scores func(context.Context) (int64, error) // queued scores that could not be written
}

// Dead is how many dead letters there are; null if there is no such queue, or it did not
// answer.
type Dead struct {
	Runs   *int64 `json:"failed_runs"`
	Scores *int64 `json:"queued_scores"`
}

// countingTime bounds the counting of one queue: an operator waits for the status, most of
// all when something is wrong.
const countingTime = 4 * time.Second

const deadLettersPage = "docs/operate/runbook.md, Dead letters"

func (r *Reporter) dead(ctx context.Context, s *Status) {
	s.Dead.Runs = s.letters(ctx, r.Dead.Runs, "failed run")
	s.Dead.Scores = s.letters(ctx, r.Dead.Scores, "unwritten score")
}

func (s *Status) letters(ctx context.Context, count func(context.Context) (int64, error), of string) *int64 {
	if count == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, countingTime)
	defer cancel()
	n, err := count(ctx)
	if err != nil {
		s.problem("allow the function ops to read the queue's attributes, as in template.yaml: "+deadLettersPage, "the dead-letter queue of %ss could not be counted: %v", of, err)
		return nil
	}
	if n > 0 {
		s.problem("fix the cause in its log, then redrive: "+deadLettersPage, "%s in the dead-letter queue", plural(n, of))
	}
	return &n
}
