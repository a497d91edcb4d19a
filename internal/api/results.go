package api

import (
	"net/http"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/people"
	"github.com/framedle/leaderboards/internal/problem"
)

// ownResultsOf is the endpoint of a player's own results.
type ownResultsOf struct {
	game   *game.Game
	people People
}

// Results of a page.
const (
	usualResults = 20
	mostResults  = 100
)

// getResults reads GET /v1/me/results: what the player has played, newest first.
func (o ownResultsOf) getResults(w http.ResponseWriter, r *request) error {
	player := r.caller.player
	q := newQuery(r.URL)
	ask := people.ResultsAsk{Cursor: q.text("cursor"), Limit: int(q.number("limit", usualResults, 1, mostResults))}
	mode := q.text("mode")
	if mode != "" && game.ValidMode(mode) != nil {
		q.fault("mode", game.ValidMode(mode).Error())
	}
	if q.sound() && o.people.CheckResults(player.ID, ask.Cursor) != nil {
		q.fault("cursor", "this is not the next of a page of this player's results; begin again without one")
	}
	if err := q.done(); err != nil {
		return err
	}
	if mode != "" {
		m, ok := o.game.ModeCalled(mode)
		if !ok {
			return problem.UnknownMode(mode)
		}
		ask.Mode = m
	}
	page, err := o.people.Results(r.Context(), player.ID, ask)
	if err != nil {
		return err
	}
	w.Header().Add("Vary", "Authorization")
	return writeJSON(w, r, http.StatusOK, "no-store", page)
}
