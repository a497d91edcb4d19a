package earnings

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/people"
	"github.com/framedle/leaderboards/internal/problem"
)

// Results reads what each player has played.
type Results interface {
	CheckResults(player, cursor string) error
	Results(ctx context.Context, player string, ask people.ResultsAsk) (people.OwnResults, error)
}

// results is the endpoint of a player's own results.
type results struct {
	game *game.Game
	kept Results
}

// Results of a page.
const (
	usualResults = 20
	mostResults  = 100
)

// getResults reads GET /v1/me/results: what the player has played, newest first.
func (o results) getResults(w http.ResponseWriter, r *gate.Request) error {
	player := r.Caller.Player
	q := fields.OpenQuery(r.URL)
	ask := people.ResultsAsk{Cursor: q.Text("cursor"), Limit: int(q.Number("limit", usualResults, 1, mostResults))}
	mode := q.Text("mode")
	if mode != "" && game.ValidMode(mode) != nil {
		q.Fault("mode", game.ValidMode(mode).Error())
	}
	if q.Sound() && o.kept.CheckResults(player.ID, ask.Cursor) != nil {
		q.Fault("cursor", "this is not the next of a page of this player's results; begin again without one")
	}
	if err := q.Done(); err != nil {
		return err
	}
	if mode != "" {
		m, ok := o.game.ModeCalled(mode)
		if !ok {
			return problem.UnknownMode(mode)
		}
		ask.Mode = m
	}
	page, err := o.kept.Results(r.Context(), player.ID, ask)
	if err != nil {
		return err
	}
	w.Header().Add("Vary", "Authorization")
	return answers.JSON(w, r.Request, http.StatusOK, page)
}
