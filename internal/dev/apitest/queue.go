package apitest

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/feature/queue"
)

// Letters is a queue of dead letters.
type Letters struct {
	All      []queue.Letter
	Fails    error
	Panics   bool
	Redriven int // how often they were sent back
}

func (l *Letters) Waiting(context.Context) (int64, error) {
	if l.Panics {
		l.Panics = false
		panic("a fault of the queue")
	}
	return int64(len(l.All)), l.Fails
}

func (l *Letters) Look(context.Context) ([]queue.Letter, error) {
	return l.All[:min(len(l.All), queue.MostSamples)], l.Fails
}

func (l *Letters) Redrive(context.Context) error {
	l.Redriven++
	return l.Fails
}

// Without is the product without queues.
func (s *Stack) Without() http.Handler {
	sub := *s
	sub.DeadRuns, sub.DeadScores = nil, nil
	return sub.Process()
}
