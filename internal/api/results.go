package api

import (
	"net/http"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
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

// Days of which ranks are read. The archive counts up to game.MostDayRank rows for each.
const (
	usualRanks = 14
	mostRanks  = 31
)

// resultsPrice is what results cost at most, in billed commands.
const resultsPrice = 80

// results has the endpoint of what players have played.
type results struct {
	*API
	people *playerdata.Service
}

func (e results) routes() []gate.Route {
	return []gate.Route{
		// Steady: without a database; with one 1 for each mode and date that takes scores.
		{Function: "me", Pattern: "GET /v1/me/results", Auth: gate.AnyPlayer, Limit: limit.Boards,
			Price: gate.Price{Most: resultsPrice, Reserved: resultsReserved(e.Game)}, Steady: 40, Serve: e.getResults},
		{Function: "me", Pattern: "GET /v1/me/ranks", Auth: gate.AnyPlayer, Limit: limit.Boards, Serve: e.getRanks},
	}
}

// resultsReserved is what a request reserves before its first command. Most cost one command for
// each mode and open date.
func resultsReserved(g *game.Game) int {
	reserved := len(g.Modes)
	if g.Day == game.Local {
		reserved *= game.MostOpenDates
	}
	return min(reserved, resultsPrice)
}

// getResults reads GET /v1/me/results: what the player has played, newest first.
func (e results) getResults(w http.ResponseWriter, r *gate.Request) error {
	player := r.Caller.Player
	q := decode.OpenQuery(r.URL)
	ask := playerdata.ResultsAsk{Cursor: q.Text("cursor"), Limit: int(q.Number("limit", usualResults, 1, mostResults))}
	mode := q.Text("mode")
	if mode != "" && game.ValidMode(mode) != nil {
		q.Fault("mode", game.ValidMode(mode).Error())
	}
	if q.Sound() && e.people.CheckResults(player.ID, ask.Cursor) != nil {
		q.Fault("cursor", "invalid cursor; restart without a cursor")
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
	page, err := e.people.Results(r.Context(), player.ID, ask)
	if err != nil {
		return err
	}
	w.Header().Add("Vary", "Authorization")
	return respond.JSON(w, r.Request, http.StatusOK, page)
}

// getRanks reads GET /v1/me/ranks: the player's ranks of closed days, newest first.
func (e results) getRanks(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	mode, limit := q.Text("mode"), int(q.Number("limit", usualRanks, 1, mostRanks))
	if mode == "" {
		q.Fault("mode", "name the mode")
	} else if err := game.ValidMode(mode); err != nil {
		q.Fault("mode", err.Error())
	}
	if err := q.Done(); err != nil {
		return err
	}
	m, ok := e.Game.ModeCalled(mode)
	if !ok {
		return problem.UnknownMode(mode)
	}
	ranks, err := e.people.Ranks(r.Context(), r.Caller.Player.ID, m, limit)
	if err != nil {
		return err
	}
	w.Header().Add("Vary", "Authorization")
	return respond.JSON(w, r.Request, http.StatusOK, ranks)
}
