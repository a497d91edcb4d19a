package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/play"
	"github.com/framedle/leaderboards/internal/problem"
)

// Queue takes submissions that are written later. When Put returns, they are safe.
type Queue interface {
	Put(ctx context.Context, sub game.Submission) error
}

// Calendar knows which days may still be written to.
type Calendar interface{ Writable(d game.Date) bool }

// queued is the status of a score that has been taken and not yet written.
const queued game.Status = "queued"

// queuedAnswer is what a submission is answered with whose outcome nobody knows yet.
type queuedAnswer struct {
	Mode      string          `json:"mode"`
	Date      string          `json:"date"`
	Player    string          `json:"player"`
	Status    game.Status     `json:"status"`
	Submitted json.RawMessage `json:"submitted"`
	Values    json.RawMessage `json:"submitted_values,omitempty"`
	View      json.RawMessage `json:"view,omitempty"` // null, where one was asked for
}

// enqueue is the endpoint that takes scores to be written later.
type enqueue struct {
	scores   scores
	calendar Calendar
	queue    Queue
}

// postScore takes one score to be written later: POST /v1/scores. Whatever is refused that needs
// no Redis to know is refused here. An idempotency key goes along with a score
// that is added up; others bear repetition, so nothing is kept for theirs.
//
// Cost: none.
func (e enqueue) postScore(w http.ResponseWriter, r *gate.Request) error {
	s, err := e.scores.readScore(w, r)
	if err != nil {
		return err
	}
	if s.sub.Mode.NeedsPlay {
		return play.Refuse(play.NotTaken, "this deployment writes scores later, so it takes none of modes with plays")
	}
	if !e.calendar.Writable(s.sub.Date) {
		return e.scores.dayProblem(board.ErrDaySealed, s.sub, s.now)
	}
	if err := e.queue.Put(r.Context(), s.sub); err != nil {
		return errors.Join(problem.Unavailable("the queue cannot be reached; the score is not taken, try again", 0), fmt.Errorf("queue a score: %w", err))
	}
	return answers.JSON(w, r.Request, http.StatusAccepted, newQueuedAnswer(s, queued))
}

func newQueuedAnswer(s scoreRequest, status game.Status) queuedAnswer {
	answer := queuedAnswer{
		Mode: s.sub.Mode.Called(), Date: s.sub.Date.String(), Player: s.sub.Player, Status: status,
		Submitted: json.RawMessage(s.sub.Mode.FormatScore(s.sub.Score)), Values: s.sub.Mode.FormatValues(s.sub.Score),
	}
	if len(s.view) > 0 { // nobody knows yet what it would show
		answer.View = json.RawMessage("null")
	}
	return answer
}
