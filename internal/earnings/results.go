package earnings

import (
	"net/http"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/people"
	"github.com/framedle/leaderboards/internal/problem"
)

// Results of a page.
const (
	usualResults = 20
	mostResults  = 100
)

// GetResults reads GET /v1/me/results: what the player has played, newest first.
func (e Endpoints) GetResults(w http.ResponseWriter, r *gate.Request) error {
	player := r.Caller.Player
	q := fields.OpenQuery(r.URL)
	ask := people.ResultsAsk{Cursor: q.Text("cursor"), Limit: int(q.Number("limit", usualResults, 1, mostResults))}
	mode := q.Text("mode")
	if mode != "" && game.ValidMode(mode) != nil {
		q.Fault("mode", game.ValidMode(mode).Error())
	}
	if q.Sound() && e.Results.CheckResults(player.ID, ask.Cursor) != nil {
		q.Fault("cursor", "this is not the next of a page of this player's results; begin again without one")
	}
	if err := q.Done(); err != nil {
		return err
	}
	if mode != "" {
		m, ok := e.Game.ModeCalled(mode)
		if !ok {
			return problem.UnknownMode(mode)
		}
		ask.Mode = m
	}
	page, err := e.Results.Results(r.Context(), player.ID, ask)
	if err != nil {
		return err
	}
	w.Header().Add("Vary", "Authorization")
	return answers.JSON(w, r.Request, http.StatusOK, page)
}
