package queue

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
)

// Intake is the endpoint of queue mode, which takes scores to write later.
type Intake struct {
	API   *api.API
	Queue Putter // nil: this process does not serve the endpoint
}

// Putter takes submissions to write later. Once Put has returned, they are stored durably.
type Putter interface {
	Put(ctx context.Context, sub game.Submission) error
}

// queued is the status of a score that the queue has and Redis has not.
const queued game.Status = "queued"

// Routes are the routes of scores that go into a queue.
func (i Intake) Routes() []gate.Route {
	return []gate.Route{i.API.ScoreRoute("enqueue", i.postScore)}
}

// postScore takes one score to write later: POST /v1/scores. It makes every check that needs
// no Redis. The idempotency key travels with a score of a sum; other scores may be written
// twice without effect, so that nothing is kept for them.
//
// Cost: none.
func (i Intake) postScore(w http.ResponseWriter, r *gate.Request) error {
	sub, answer, err := i.API.ReadLater(w, r, queued)
	if err != nil {
		return err
	}
	if err := i.Queue.Put(r.Context(), sub); err != nil {
		return errors.Join(problem.Unavailable("the queue is unreachable; the score was not accepted, retry", 0), fmt.Errorf("queue a score: %w", err))
	}
	return respond.JSON(w, r.Request, http.StatusAccepted, answer)
}
