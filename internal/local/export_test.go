package local

import (
	"github.com/framedle/leaderboards/internal/deadletters"
	"github.com/framedle/leaderboards/internal/queue/inprocess"
)

// DeadLettersOf are those of a product with a queue.
func DeadLettersOf(q *inprocess.Queue) deadletters.Queues {
	return (&Product{queue: q}).deadLetters()
}
