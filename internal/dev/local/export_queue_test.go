package local

import (
	"github.com/framedle/leaderboards/internal/feature/queue"
)

// DeadLettersOf are those of a product with a queue.
func DeadLettersOf(q *queue.Queue) queue.Queues {
	return (&Product{queue: q}).deadLetters()
}
