package duel

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
)

// pollAfter is how often a client in the queue should ask, in seconds.
const pollAfter = 5

// queueAnswer is a player's place in the queue.
type queueAnswer struct {
	Status    string  `json:"status"`
	Mode      string  `json:"mode,omitempty"`
	Since     string  `json:"since,omitempty"`
	Rating    float64 `json:"rating,omitempty"`
	Window    float64 `json:"window,omitempty"`
	PollAfter int     `json:"poll_after,omitempty"`
}

// PostQueue looks for an opponent: POST /v1/duels/queue.
func (d Endpoints) PostQueue(w http.ResponseWriter, r *gate.Request) error {
	if err := d.mayAsk(w, r); err != nil {
		return err
	}
	f := decode.Open(r.Sent, "")
	mode, unknown := readMode(d.Game, f)
	if err := cmp.Or(decode.OpenQuery(r.URL).Done(), f.Done()); err != nil {
		return err
	}
	if unknown != nil {
		return unknown
	}
	return d.Gate.AnswerOnce(w, r, r.Record(), func(ctx context.Context) (int, any, bool, error) {
		if err := api.Introduce(ctx, d.Names, r); err != nil {
			return 0, nil, false, err
		}
		found, place, err := d.Duels.Queue().Join(ctx, r.Caller.Player.ID, mode)
		if err != nil || found.ID != "" {
			return http.StatusOK, Show(d.Game, found, r.Caller), false, err
		}
		return http.StatusOK, queueAnswer{
			Status: "queued", Mode: d.Game.Called(mode), Since: place.Since.Format(time.RFC3339), Rating: place.Rating, Window: place.Window, PollAfter: pollAfter,
		}, false, nil
	})
}

// DeleteQueue leaves the queue: DELETE /v1/duels/queue.
func (d Endpoints) DeleteQueue(w http.ResponseWriter, r *gate.Request) error {
	player := r.Caller.Player
	q := decode.OpenQuery(r.URL)
	mode := q.Text("mode")
	if err := q.Done(); err != nil {
		return err
	}
	if mode != "" {
		m, ok := d.Game.ModeCalled(mode)
		if !ok {
			return problem.UnknownMode(mode)
		}
		mode = m.Name
	}
	if err := d.Notices.MayWrite(r.Context()); err != nil {
		return err
	}
	if err := d.Duels.Queue().Leave(r.Context(), player.ID, mode); err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, queueAnswer{Status: "left", Mode: d.Game.Called(mode)})
}
