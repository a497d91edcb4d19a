package review

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
)

// Plays are the plays that are held.
type Plays interface {
	Put(ctx context.Context, p Play) error
	List(ctx context.Context, after string, limit int) (plays []Play, next string, err error)
	Find(ctx context.Context, id string) (Play, error)
	Decide(ctx context.Context, p Play, verdict string) error
	Undecide(ctx context.Context, p Play) error
	Drop(ctx context.Context, p Play) error
}

// heldAnswer is a score that waits for an operator.
type heldAnswer struct {
	ID        string          `json:"id"`
	Mode      string          `json:"mode"`
	Date      string          `json:"date"`
	Player    string          `json:"player"`
	Name      string          `json:"name,omitempty"`
	Submitted json.RawMessage `json:"submitted"`
	Values    json.RawMessage `json:"submitted_values,omitempty"`
	At        string          `json:"at"`
	Why       string          `json:"why"`
	// Open reports whether the score can still be let pass.
	Open bool `json:"open"`
}

// heldList is a page of held scores, oldest first.
type heldList struct {
	Held []heldAnswer `json:"held"`
	Next *string      `json:"next"`
}

// Numbers of rows on a page.
const (
	usualRows = 100
	mostRows  = 1000
)

// Endpoints are the endpoints with which the operator decides about held scores.
type Endpoints struct {
	Held     Plays
	Notices  *control.Notices
	Writable func(game.Date) bool // whether the boards of a day still change
	// Pass writes a held score as of when it was played, and returns the answer to it.
	Pass func(ctx context.Context, sub game.Submission) (answer any, err error)
	// Note writes a decision into the audit, under an id of its own.
	Note func(r *gate.Request, id, action string, sub game.Submission)
}

// Routes are the routes of held scores.
func (h Endpoints) Routes() []gate.Route {
	return []gate.Route{
		// Steady: 2 in a game with proofs.
		{Function: "ops", Pattern: "GET /v1/ops/held", Auth: gate.Reader, Serve: h.GetHeld},
		{Function: "ops", Pattern: "PUT /v1/ops/held/{id}", Auth: gate.Moderator, Steady: 6, BlockedInMaintenance: true, Serve: h.PutHeld},
		{Function: "ops", Pattern: "DELETE /v1/ops/held/{id}", Auth: gate.Moderator, Steady: 4, BlockedInMaintenance: true, Serve: h.DeleteHeld},
	}
}

// GetHeld lists what is held: GET /v1/ops/held.
func (h Endpoints) GetHeld(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	limit := int(q.Number("limit", usualRows, 1, mostRows))
	after := strings.ReplaceAll(q.Text("cursor"), "~", " ")
	if err := q.Done(); err != nil {
		return err
	}
	plays, next, err := h.Held.List(r.Context(), after, limit)
	if err != nil {
		return err
	}
	page := heldList{Held: []heldAnswer{}}
	for _, p := range plays {
		sub := p.Submission
		page.Held = append(page.Held, heldAnswer{
			ID: p.ID, Mode: sub.Mode.Called(), Date: sub.Date.String(), Player: sub.Player, Name: sub.Profile.Name,
			Submitted: json.RawMessage(sub.Mode.FormatScore(sub.Score)), Values: sub.Mode.FormatValues(sub.Score),
			At: sub.At.UTC().Format(time.RFC3339), Why: p.Why, Open: h.Writable(sub.Date),
		})
	}
	if next != "" {
		next = strings.ReplaceAll(next, " ", "~") // no player's id contains a tilde
		page.Next = &next
	}
	return respond.JSON(w, r.Request, http.StatusOK, page)
}

// pathHeld finds the play in the path.
func (h Endpoints) pathHeld(r *gate.Request) (Play, error) {
	q := decode.OpenQuery(r.URL)
	id := r.PathValue("id")
	if len(id) == 0 || len(id) > 64 || slices.ContainsFunc([]rune(id), func(c rune) bool { return !strings.ContainsRune("0123456789abcdef", c) }) {
		q.PathFault("id", "this is not the id of a play under review")
	}
	if err := q.Done(); err != nil {
		return Play{}, err
	}
	if err := h.Notices.MayWrite(r.Context()); err != nil {
		return Play{}, err
	}
	return h.Held.Find(r.Context(), id)
}

// PutHeld lets a score pass: PUT /v1/ops/held/{id}. The score enters the board as of when it
// was played. If the request is interrupted after that, a repeated one finishes it, and the
// score cannot be dropped any more.
func (h Endpoints) PutHeld(w http.ResponseWriter, r *gate.Request) error {
	p, err := h.pathHeld(r)
	if err != nil {
		return err
	}
	if err := p.Submission.Recheck(); err != nil {
		return problem.ScoreOutOfBounds("", err.Error())
	}
	if err := h.Held.Decide(r.Context(), p, Passes); err != nil {
		return err
	}
	answer, err := h.Pass(r.Context(), p.Submission)
	if err != nil {
		if problem.Of(err).Status < http.StatusInternalServerError { // nothing was written: it may still be dropped
			err = errors.Join(err, h.Held.Undecide(r.Context(), p))
		}
		return err
	}
	if err := h.settle(r, p, "pass_held"); err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, answer)
}

// DeleteHeld drops a score: DELETE /v1/ops/held/{id}.
func (h Endpoints) DeleteHeld(w http.ResponseWriter, r *gate.Request) error {
	p, err := h.pathHeld(r)
	if err != nil {
		return err
	}
	if err := h.Held.Decide(r.Context(), p, Dropped); err != nil {
		return err
	}
	if err := h.settle(r, p, "drop_held"); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// settle writes the decision about a play into the audit, and then drops the play. The audit
// comes first: if dropping fails, the request is repeated, and the act has the same id.
func (h Endpoints) settle(r *gate.Request, p Play, action string) error {
	h.Note(r, action+" "+p.ID, action, p.Submission)
	return h.Held.Drop(r.Context(), p)
}
