package ops

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
	"github.com/framedle/leaderboards/internal/feature/play/review"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// HeldPlays keeps plays off the boards until an operator has looked at them.
type HeldPlays interface {
	List(ctx context.Context, after string, limit int) (plays []review.Play, next string, err error)
	Find(ctx context.Context, id string) (review.Play, error)
	Decide(ctx context.Context, p review.Play, verdict string) error
	Undecide(ctx context.Context, p review.Play) error
	Drop(ctx context.Context, p review.Play) error
}

// Pass writes a held score as of when it was played, and returns the answer to it. The
// package that takes scores implements it.
type Pass func(ctx context.Context, sub game.Submission) (answer any, err error)

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

// heldPlays are the endpoints with which the operator decides about held scores.
type heldPlays struct{ Config }

// GetHeld lists what is held: GET /v1/ops/held.
func (h heldPlays) GetHeld(w http.ResponseWriter, r *gate.Request) error {
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
			At: sub.At.UTC().Format(time.RFC3339), Why: p.Why, Open: h.Calendar.Writable(sub.Date),
		})
	}
	if next != "" {
		next = strings.ReplaceAll(next, " ", "~") // no player's id contains a tilde
		page.Next = &next
	}
	return respond.JSON(w, r.Request, http.StatusOK, page)
}

// pathHeld finds the play in the path.
func (h heldPlays) pathHeld(r *gate.Request) (review.Play, error) {
	q := decode.OpenQuery(r.URL)
	id := r.PathValue("id")
	if len(id) == 0 || len(id) > 64 || slices.ContainsFunc([]rune(id), func(c rune) bool { return !strings.ContainsRune("0123456789abcdef", c) }) {
		q.PathFault("id", "this is not the id of a play that is held")
	}
	if err := q.Done(); err != nil {
		return review.Play{}, err
	}
	if err := h.Notices.MayWrite(r.Context()); err != nil {
		return review.Play{}, err
	}
	return h.Held.Find(r.Context(), id)
}

// PutHeld lets a score pass: PUT /v1/ops/held/{id}. The score enters the board as of when it
// was played. If the request is interrupted after that, a repeated one finishes it, and the
// score cannot be dropped any more.
func (h heldPlays) PutHeld(w http.ResponseWriter, r *gate.Request) error {
	p, err := h.pathHeld(r)
	if err != nil {
		return err
	}
	if err := p.Submission.Recheck(); err != nil {
		return problem.ScoreOutOfBounds("", err.Error())
	}
	if err := h.Held.Decide(r.Context(), p, review.Passes); err != nil {
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
func (h heldPlays) DeleteHeld(w http.ResponseWriter, r *gate.Request) error {
	p, err := h.pathHeld(r)
	if err != nil {
		return err
	}
	if err := h.Held.Decide(r.Context(), p, review.Dropped); err != nil {
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
func (h heldPlays) settle(r *gate.Request, p review.Play, action string) error {
	sub := p.Submission
	h.noteAs(r, playerdata.Act{
		ID: action + " " + p.ID, Action: action, Player: sub.Player, Mode: sub.Mode.Name, Date: sub.Date.String(),
	}, nil)
	return h.Held.Drop(r.Context(), p)
}
