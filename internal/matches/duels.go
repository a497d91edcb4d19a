package matches

import (
	"cmp"
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
)

// duels are the endpoints of duels.
type duels struct {
	game    *game.Game
	gate    *gate.Keeper
	store   *duel.Store
	notices gate.Notices
	secret  auth.Secret // for ids that nobody may guess
}

// pathDuel reads the id of a duel from the path, and refuses parameters.
func pathDuel(r *gate.Request) (string, error) {
	q := fields.OpenQuery(r.URL)
	id := r.PathValue("id")
	if err := game.ValidDuel(id); err != nil {
		q.PathFault("id", err.Error())
	}
	return id, q.Done()
}

// postDuelAccept accepts a challenge: POST /v1/duels/{id}/accept. The body may
// be empty; its invite, where there is one, must be that of the path.
func (d duels) postDuelAccept(w http.ResponseWriter, r *gate.Request) error {
	if err := mayAsk(w, r, d.gate, d.notices); err != nil {
		return err
	}
	f := fields.Open(r.Sent, "")
	invite, named := f.Text("invite", false)
	id, err := pathDuel(r)
	if err := cmp.Or(err, f.Done()); err != nil {
		return err
	}
	if named && invite != id {
		return duel.ErrUnknown
	}
	return d.gate.AnswerOnce(w, r, r.Record(), func(ctx context.Context) (int, any, bool, error) {
		accepted, err := d.store.Accept(ctx, id, r.Caller.Player.ID)
		return http.StatusOK, ShowDuel(d.game, accepted, r.Caller), false, err
	})
}

// postRematch challenges the other player again: POST /v1/duels/{id}/rematch.
func (d duels) postRematch(w http.ResponseWriter, r *gate.Request) error {
	if err := mayAsk(w, r, d.gate, d.notices); err != nil {
		return err
	}
	id, err := pathDuel(r)
	if err != nil {
		return err
	}
	return d.gate.AnswerOnce(w, r, r.Record(), func(ctx context.Context) (int, any, bool, error) {
		again, err := d.store.Rematch(ctx, id, r.Caller.Player.ID)
		return http.StatusCreated, ShowDuel(d.game, again, r.Caller), false, err
	})
}

// getDuel reads GET /v1/duels/{id}.
func (d duels) getDuel(w http.ResponseWriter, r *gate.Request) error {
	id, err := pathDuel(r)
	if err != nil {
		return err
	}
	var found game.Duel
	if r.Caller.IsServer() {
		found, err = d.store.Duel(r.Context(), id)
	} else {
		found, err = d.store.See(r.Context(), id, r.Caller.Player.ID)
	}
	if err != nil {
		return err
	}
	return answers.JSON(w, r.Request, http.StatusOK, ShowDuel(d.game, found, r.Caller))
}
