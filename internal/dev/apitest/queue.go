package apitest

import (
	"context"
	"fmt"
	"net/http"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/product/app"
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

// serveQueue serves what takes scores into a queue, and what shows dead letters.
func (s *Stack) serveQueue(of *app.Services) {
	of.Queue = s.Queue
	if s.DeadRuns != nil {
		of.Dead.Runs = s.DeadRuns
	}
	if s.DeadScores != nil {
		of.Dead.Scores = s.DeadScores
	}
}

// QueuesInto makes the product again, in queue mode.
func (s *Stack) QueuesInto(p *Pending) {
	s.Queued, s.Queue = true, queue.Writer{Sender: p}
	s.Handler = s.Process()
}

// Pending is a queue that a test empties by hand.
type Pending struct {
	Messages []host.QueueMessage
	Err      error
}

func (p *Pending) Send(_ context.Context, body string) error {
	if p.Err != nil {
		return p.Err
	}
	p.Messages = append(p.Messages, host.QueueMessage{ID: fmt.Sprintf("m-%d", len(p.Messages)), Body: body, Receives: 1})
	return nil
}

// IngestAll has everything that waits written.
func (s *Stack) IngestAll(p *Pending) {
	s.Helper()
	failed, err := s.ingest.Take(s.Context(), p.Messages)
	require.NoError(s, err)
	require.Empty(s, failed)
	p.Messages = nil
}
