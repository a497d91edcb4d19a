package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
)

// Queue takes submissions to write later. Once Put has returned, they are stored durably.
type Queue interface {
	Put(ctx context.Context, sub game.Submission) error
}

// queued is the status of a score that the queue has and Redis has not.
const queued game.Status = "queued"

// enqueue is the endpoint of queue mode, which takes scores to write later.
type enqueue struct {
	scores
	queue Queue
}

// routes are the routes of scores that go into a queue.
func (e enqueue) routes() []gate.Route {
	return []gate.Route{
		// Steady: with a view of three parts; without a view 4 with an Idempotency-Key, else 2.
		{Function: "enqueue", Pattern: "POST /v1/scores", Auth: gate.AnyPlayerOrServer, Limit: limit.Submit, Body: gate.Required,
			Price: scorePrice(e.Game), Steady: 7, Keyed: true, BlockedInMaintenance: true, Serve: e.postScore},
	}
}

// postScore takes one score to write later: POST /v1/scores. It makes every check that needs
// no Redis. The idempotency key travels with a score of a sum; other scores may be written
// twice without effect, so that nothing is kept for them.
//
// Cost: none.
func (e enqueue) postScore(w http.ResponseWriter, r *gate.Request) error {
	s, err := e.readScore(w, r)
	if err != nil {
		return err
	}
	if s.sub.Mode.NeedsPlay {
		return e.Plays.Refuse(NotTaken, WrittenLater)
	}
	if !e.Calendar.Writable(s.sub.Date) {
		return e.dayProblem(leaderboard.ErrDaySealed, s.sub, s.now)
	}
	if err := e.queue.Put(r.Context(), s.sub); err != nil {
		return errors.Join(problem.Unavailable("the queue is unreachable; the score was not accepted, retry", 0), fmt.Errorf("queue a score: %w", err))
	}
	return respond.JSON(w, r.Request, http.StatusAccepted, newWaitingAnswer(s, queued))
}
