package local

import (
	"github.com/framedle/leaderboards/internal/feature/queue/deadletters"
	"github.com/framedle/leaderboards/internal/feature/queue/inprocess"
)

// DeadLettersOf are those of a product with a queue.
func DeadLettersOf(q *inprocess.Queue) deadletters.Queues {
	return (&Product{queue: q}).deadLetters()
}
