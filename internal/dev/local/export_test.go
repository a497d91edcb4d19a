package local

import (
	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/feature/queue/deadletters"
)

// DeadLettersOf are those of a product with a queue.
func DeadLettersOf(q *queue.Queue) deadletters.Queues {
	return (&Product{queue: q}).deadLetters()
}
