package queue

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
)

// Endpoints are the operator's endpoints of messages that failed permanently.
type Endpoints struct {
	Game    *game.Game
	Now     func() time.Time
	Notices *control.Notices
	Dead    Queues
	// Note writes an act into the audit.
	Note func(r *gate.Request, action string, detail map[string]any)
}

// Routes are the routes of dead letters.
func (d Endpoints) Routes() []gate.Route {
	return []gate.Route{
		{Function: "ops", Pattern: "GET /v1/ops/dead-letters", Auth: gate.Reader, Serve: gate.NoQuery(d.GetDeadLetters)},
		{Function: "ops", Pattern: "POST /v1/ops/dead-letters/redrive", Auth: gate.Administrator, Body: gate.NoFields,
			BlockedInMaintenance: true, Serve: gate.NoQuery(d.PostRedrive)},
	}
}

// deadTime bounds the reading of one queue: a look into SQS takes a second.
const deadTime = 8 * time.Second

// mostMessage is how many bytes of a message are shown: a score with its details has
// some 2,000 at most.
const mostMessage = 4096

type deadLettersAnswer struct {
	Runs   *deadQueue `json:"failed_runs"`   // null: there is no such queue
	Scores *deadQueue `json:"queued_scores"` // likewise
}

type deadQueue struct {
	Count   int64        `json:"count"`
	Redrive bool         `json:"redrive"` // whether they can be sent back to the queue
	Samples []deadLetter `json:"samples"`
}

type deadLetter struct {
	ID       string `json:"id"`
	SentAt   string `json:"sent_at"`
	Age      int64  `json:"age_seconds"`
	Receives int    `json:"receives"`
	Reason   string `json:"reason,omitempty"`
	Message  string `json:"message"`
}

// redriveAnswer says how many dead letters there were when the redrive began.
type redriveAnswer struct {
	SentBack int64 `json:"sent_back"`
}

// GetDeadLetters counts dead letters, and shows some: GET /v1/ops/dead-letters.
//
// Cost: none; of SQS two requests for each queue.
func (d Endpoints) GetDeadLetters(w http.ResponseWriter, r *gate.Request) error {
	runs, err := d.show(r.Context(), d.Dead.Runs, func(l Letter) string { return l.Reason })
	if err != nil {
		return err
	}
	scores, err := d.show(r.Context(), d.Dead.Scores, func(l Letter) string { return unreadable(d.Game, l.Body) })
	if err != nil {
		return err
	}
	if scores != nil {
		scores.Redrive = true
	}
	return respond.JSON(w, r.Request, http.StatusOK, deadLettersAnswer{runs, scores})
}

func (d Endpoints) show(ctx context.Context, letters DeadLetters, reason func(Letter) string) (*deadQueue, error) {
	if letters == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, deadTime)
	defer cancel()
	count, err := letters.Waiting(ctx)
	if err != nil {
		return nil, noAnswerOfQueue(err)
	}
	answer := &deadQueue{Count: count, Samples: []deadLetter{}}
	if count == 0 {
		return answer, nil
	}
	samples, err := letters.Look(ctx)
	if err != nil {
		return nil, noAnswerOfQueue(err)
	}
	for _, l := range samples {
		answer.Samples = append(answer.Samples, deadLetter{
			ID: l.ID, SentAt: l.Sent.UTC().Format(time.RFC3339), Age: max(0, int64(d.Now().Sub(l.Sent)/time.Second)), Receives: l.Receives,
			Reason: reason(l), Message: l.Body[:min(len(l.Body), mostMessage)],
		})
	}
	return answer, nil
}

// unreadable is why a queued score cannot be read. If it is empty, the score can be read, and
// only the log of ingest has the reason why it failed.
func unreadable(g *game.Game, body string) string {
	if _, err := Decode(g, body); err != nil {
		return err.Error()
	}
	return ""
}

// PostRedrive starts to send queued scores back that could not be written: POST
// /v1/ops/dead-letters/redrive. A failed run is fired again by its function's name instead.
//
// Cost: none; of SQS three requests.
func (d Endpoints) PostRedrive(w http.ResponseWriter, r *gate.Request) error {
	if d.Dead.Scores == nil {
		return problem.New("not-found", "the score queue is not enabled")
	}
	if err := d.Notices.MayWrite(r.Context()); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), deadTime)
	defer cancel()
	count, err := d.Dead.Scores.Waiting(ctx)
	if err != nil {
		return noAnswerOfQueue(err)
	}
	if count > 0 {
		if err := d.Dead.Scores.Redrive(ctx); err != nil {
			return errors.Join(problem.Unavailable("the redrive did not start; an earlier one may still be running: docs/operate/runbook.md, Dead letters", deadWait), fmt.Errorf("redrive dead letters: %w", err))
		}
		d.Note(r, "redrive", map[string]any{"letters": count})
	}
	return respond.JSON(w, r.Request, http.StatusAccepted, redriveAnswer{count})
}

// deadWait is how long an operator should wait before asking about a queue again.
const deadWait = 10 * time.Second

func noAnswerOfQueue(err error) error {
	return errors.Join(problem.Unavailable("a dead-letter queue did not respond; check that the function ops may read it, as in template.yaml: docs/operate/runbook.md, Dead letters", deadWait), fmt.Errorf("ask for dead letters: %w", err))
}
