package api

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/people"
)

// People knows what is kept of each player, and what operators have done.
type People interface {
	CheckCursor(player, cursor string) error
	Own(ctx context.Context, player, cursor string) (people.Document, error)
	Player(ctx context.Context, player, cursor string) (people.Document, error)
	ListBans(ctx context.Context, cursor string, limit int) (people.Bans, error)
	ListLog(ctx context.Context, player, cursor string, limit int) (people.Log, error)
}

// documentAnswer is all that is kept of a player, or a page of it.
type documentAnswer struct {
	people.Document
	Duels []duelAnswer `json:"duels"`
}

func (a *API) writeDocument(w http.ResponseWriter, r *request, d people.Document) error {
	answer := documentAnswer{Document: d, Duels: make([]duelAnswer, len(d.Duels))}
	for i, row := range d.Duels {
		answer.Duels[i] = duels{API: a}.answer(row, caller{player: auth.Player{ID: d.Player}})
	}
	return writeJSON(w, r, http.StatusOK, "no-store", answer)
}

// documentCursor reads the one parameter that a page of a document has.
func (a *API) documentCursor(q *query, player string) string {
	cursor := q.text("cursor")
	if cursor != "" && len(q.faults) == 0 && a.People.CheckCursor(player, cursor) != nil {
		q.fault("cursor", "this is not the next of a page of this player's that was read in the last hour; begin again without one")
	}
	return cursor
}

// getExport reads GET /v1/me/export: everything that is kept of the owner of the
// session token.
func (m me) getExport(w http.ResponseWriter, r *request) error {
	player := r.caller.player
	q := newQuery(r)
	cursor := m.documentCursor(q, player.ID)
	if err := q.done(); err != nil {
		return err
	}
	d, err := m.People.Own(r.Context(), player.ID, cursor)
	if err != nil {
		return err
	}
	w.Header().Add("Vary", "Authorization")
	w.Header().Set("Content-Disposition", `attachment; filename="player.json"`)
	return m.writeDocument(w, r, d)
}

// getPlayer reads GET /v1/ops/players/{player}.
func (o ops) getPlayer(w http.ResponseWriter, r *request) error {
	q := newQuery(r)
	player := r.PathValue("player")
	if err := game.ValidPlayer(player); err != nil {
		q.path("player", err.Error())
	}
	cursor := o.documentCursor(q, player)
	if err := q.done(); err != nil {
		return err
	}
	d, err := o.People.Player(r.Context(), player, cursor)
	if err != nil {
		return err
	}
	return o.writeDocument(w, r, d)
}
