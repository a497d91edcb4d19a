package rewards

import (
	"net/http"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// Results of a page.
const (
	usualResults = 20
	mostResults  = 100
)

// GetResults reads GET /v1/me/results: what the player has played, newest first.
func (e Endpoints) GetResults(w http.ResponseWriter, r *gate.Request) error {
	player := r.Caller.Player
	q := decode.OpenQuery(r.URL)
	ask := playerdata.ResultsAsk{Cursor: q.Text("cursor"), Limit: int(q.Number("limit", usualResults, 1, mostResults))}
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
	return respond.JSON(w, r.Request, http.StatusOK, page)
}
