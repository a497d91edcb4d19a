package api

import (
	"context"
	"errors"
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
		"POST /v1/duels":              d.serve(d.postDuel),
		"GET /v1/duels":               d.limited(d.serve(d.getDuels)),
		"POST /v1/duels/queue":        d.serve(d.postQueue),
		"DELETE /v1/duels/queue":      d.limited(d.serve(d.deleteQueue)),
		"GET /v1/duels/{id}":          d.limited(d.serve(d.getDuel)),
		"POST /v1/duels/{id}/accept":  d.serve(d.postDuelAccept),
		"POST /v1/duels/{id}/result":  d.serve(d.postDuelResult),
		"POST /v1/duels/{id}/rematch": d.serve(d.postRematch),
	}
}

// serve turns what package duel refuses into problems.
func (d duels) serve(serve endpoint) endpoint {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := serve(w, r)
		if p := duelProblem(err); p != nil {
			return p
		}
		return err
	}
}

func duelProblem(err error) *problem {
	conflict := func(kind string) *problem {
		return &problem{Status: http.StatusConflict, kind: kind, Detail: err.Error()}
	}
	switch {
	case errors.Is(err, duel.ErrUnknown):
		return &problem{Status: http.StatusNotFound, kind: "unknown-duel", Detail: "there is no such duel, or it is none of yours"}
	case errors.Is(err, duel.ErrDecided):
		return conflict("duel-decided")
	case errors.Is(err, duel.ErrOther), errors.Is(err, duel.ErrTaken), errors.Is(err, duel.ErrOwn), errors.Is(err, duel.ErrNotReady),
		errors.Is(err, duel.ErrOver), errors.Is(err, duel.ErrNotDecided):
		return conflict("duel-state")
	case errors.Is(err, duel.ErrOpen):
		return conflict("challenges-full")
	case errors.Is(err, duel.ErrNotPlaying):
		return badField("/winner", "the winner must be one of the two players, or null for a draw")
	}
	return nil
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
