package api

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/limit"
)

// duels are the endpoints of duels.
type duels struct {
	*API
	duels *duel.Store
}

// Duel is the handler of the function duel.
func (a *API) Duel(s *duel.Store) http.Handler { return a.router(duels{a, s}.routes()) }

func (d duels) routes() routes {
	return routes{
		"POST /v1/duels":              d.postDuel,
		"GET /v1/duels":               d.limited(d.getDuels),
		"POST /v1/duels/queue":        d.postQueue,
		"DELETE /v1/duels/queue":      d.limited(d.deleteQueue),
		"GET /v1/duels/{id}":          d.limited(d.getDuel),
		"POST /v1/duels/{id}/accept":  d.postDuelAccept,
		"POST /v1/duels/{id}/result":  d.postDuelResult,
		"POST /v1/duels/{id}/rematch": d.postRematch,
	}
}

// player finds the player who is asking to play, and counts the request.
func (d duels) player(w http.ResponseWriter, r *http.Request) (caller, error) {
	player, err := d.authenticatePlayer(r)
	who := caller{player: player}
	if err != nil {
		return who, err
	}
	if err := d.mayPlay(r, player.ID); err != nil {
		return who, err
	}
	return who, d.count(w, r, who)
}

func (d duels) count(w http.ResponseWriter, r *http.Request, who caller) error {
	_, err := d.take(w, r, limit.Duels, d.counted(r, who))
	return err
}

// pathDuel reads the duel of a path, and that there are no parameters.
func pathDuel(r *http.Request) (string, error) {
	q := newQuery(r)
	id := r.PathValue("id")
	if err := game.ValidDuel(id); err != nil {
		q.path("id", err.Error())
	}
	return id, q.done()
}

// modeField reads a mode that may be left out, and finds the name that duels of
// it go by.
func (d duels) modeField(f *fields) (name string, unknown error) {
	name, ok := f.text("mode", false)
	if !ok {
		return "", nil
	}
	if err := game.ValidMode(name); err != nil {
		f.fault("mode", err.Error())
		return "", nil
	}
	mode, ok := d.Game.ModeCalled(name)
	if !ok {
		return "", unknownMode(name)
	}
	return mode.Name, nil
}

// postDuelAccept accepts a challenge: POST /v1/duels/{id}/accept. The body may
// be empty; its invite, where there is one, must be that of the path.
func (d duels) postDuelAccept(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	who, err := d.player(w, r)
	if err != nil {
		return err
	}
	if len(body) == 0 {
		body = []byte("{}")
	}
	f := object(body, "")
	invite, named := f.text("invite", false)
	id, err := pathDuel(r)
	if err := joined(err, f.done()); err != nil {
		return err
	}
	if named && invite != id {
		return duel.ErrUnknown
	}
	return d.answerKeyed(w, r, who, body, func(ctx context.Context) (int, any, bool, error) {
		accepted, err := d.duels.Accept(ctx, id, who.player.ID)
		return http.StatusOK, d.answer(accepted, who), false, err
	})
}

// postRematch challenges the other player again: POST /v1/duels/{id}/rematch.
func (d duels) postRematch(w http.ResponseWriter, r *http.Request) error {
	if err := emptyBody(w, r); err != nil {
		return err
	}
	who, err := d.player(w, r)
	if err != nil {
		return err
	}
	id, err := pathDuel(r)
	if err != nil {
		return err
	}
	return d.answerKeyed(w, r, who, nil, func(ctx context.Context) (int, any, bool, error) {
		again, err := d.duels.Rematch(ctx, id, who.player.ID)
		return http.StatusCreated, d.answer(again, who), false, err
	})
}

// getDuel reads GET /v1/duels/{id}.
func (d duels) getDuel(w http.ResponseWriter, r *http.Request) error {
	who, err := d.authenticate(r, nil)
	if err != nil {
		return err
	}
	id, err := pathDuel(r)
	if err != nil {
		return err
	}
	var found game.Duel
	if who.isServer() {
		found, err = d.duels.Duel(r.Context(), id)
	} else {
		found, err = d.duels.See(r.Context(), id, who.player.ID)
	}
	if err != nil {
		return err
	}
	return writeJSON(w, r, http.StatusOK, "no-store", d.answer(found, who))
}
