package api

import (
	"errors"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
)

// exports are the endpoints that answer with all that is kept of a player.
type exports struct {
	*API
	people *playerdata.Service
}

// What exports cost in a product without features.
const (
	ownExport = 31
	anExport  = 28
)

// routes are the routes of all that is kept of a player.
func (e exports) routes() []gate.Route {
	own, other := ownExport, anExport
	for _, of := range e.Exports {
		own, other = own+of.One, other+of.None
	}
	return []gate.Route{
		{Function: "me", Pattern: "GET /v1/me/export", Auth: gate.SignedIn, Limit: limit.Boards, Price: gate.UpTo(250), Steady: own, Serve: e.getExport},
		{Function: "ops", Pattern: "GET /v1/ops/players/{player}", Auth: gate.Reader, Steady: other, Serve: e.getPlayer},
	}
}

// cursor reads the one parameter that a page of a document has.
func (e exports) cursor(q *decode.Query, player string) string {
	cursor := q.Text("cursor")
	if cursor != "" && q.Sound() && e.people.CheckCursor(player, cursor) != nil {
		q.Fault("cursor", "cursor invalid or older than an hour; restart without a cursor")
	}
	return cursor
}

// getExport reads GET /v1/me/export: everything that is kept of the owner of the session token.
// HEAD reads nothing, so it does not count as an export, and has no length.
func (e exports) getExport(w http.ResponseWriter, r *gate.Request) error {
	player := r.Caller.Player
	q := decode.OpenQuery(r.URL)
	cursor := e.cursor(q, player.ID)
	if err := q.Done(); err != nil {
		return err
	}
	if r.Method == http.MethodHead {
		showExport(w)
		respond.Head(w)
		return nil
	}
	d, err := e.people.ExportPage(r.Context(), player.ID, cursor)
	var often *playerdata.TooOftenError
	if errors.As(err, &often) {
		exports := limit.Rule{Name: "export-player", Count: playerdata.OwnExports, Window: 24 * time.Hour}
		return problem.RateLimited(limit.Decision{Rule: exports, Wait: often.Wait}, often.Error()+" (UTC); only first pages count")
	}
	if err != nil {
		return err
	}
	showExport(w)
	return respond.JSON(w, r.Request, http.StatusOK, d)
}

// showExport has browsers save the answer as a file.
func showExport(w http.ResponseWriter) {
	respond.VaryByCaller(w)
	w.Header().Set("Content-Disposition", `attachment; filename="player.json"`)
}

// getPlayer reads GET /v1/ops/players/{player}.
func (e exports) getPlayer(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	player := r.PathValue("player")
	if err := game.ValidPlayer(player); err != nil {
		q.PathFault("player", err.Error())
	}
	cursor := e.cursor(q, player)
	if err := q.Done(); err != nil {
		return err
	}
	d, err := e.people.Player(r.Context(), player, cursor)
	if err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, d)
}
