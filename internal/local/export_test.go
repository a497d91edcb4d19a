package local

import (
	"github.com/framedle/leaderboards/internal/queue/inprocess"
	"github.com/framedle/leaderboards/internal/status"
)

// DeadLettersOf are those that a product with a queue counts.
func DeadLettersOf(q *inprocess.Queue) status.DeadLetters {
	return (&Product{queue: q}).deadLetters()
}
