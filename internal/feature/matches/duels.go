package matches

import (
	"cmp"
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
)

// Duels are the endpoints of duels, each named after its route.
type Duels struct{ Config }

// pathDuel reads the id of a duel from the path, and refuses parameters.
func pathDuel(r *gate.Request) (string, error) {
	q := decode.OpenQuery(r.URL)
	id := r.PathValue("id")
	if err := game.ValidDuel(id); err != nil {
		q.PathFault("id", err.Error())
	}
	return id, q.Done()
}

// PostDuelAccept accepts a challenge: POST /v1/duels/{id}/accept. The body may
// be empty; its invite, where there is one, must be that of the path.
func (d Duels) PostDuelAccept(w http.ResponseWriter, r *gate.Request) error {
	if err := d.mayAsk(w, r); err != nil {
		return err
	}
	f := decode.Open(r.Sent, "")
	invite, named := f.Text("invite", decode.Optional)
	id, err := pathDuel(r)
	if err := cmp.Or(err, f.Done()); err != nil {
		return err
	}
	if named && invite != id {
		return duel.ErrUnknown
	}
	return d.Gate.AnswerOnce(w, r, r.Record(), func(ctx context.Context) (int, any, bool, error) {
		accepted, err := d.Duels.Accept(ctx, id, r.Caller.Player.ID)
		return http.StatusOK, ShowDuel(d.Game, accepted, r.Caller), false, err
	})
}

// PostRematch challenges the other player again: POST /v1/duels/{id}/rematch.
func (d Duels) PostRematch(w http.ResponseWriter, r *gate.Request) error {
	if err := d.mayAsk(w, r); err != nil {
		return err
	}
	id, err := pathDuel(r)
	if err != nil {
		return err
	}
	return d.Gate.AnswerOnce(w, r, r.Record(), func(ctx context.Context) (int, any, bool, error) {
		again, err := d.Duels.Rematch(ctx, id, r.Caller.Player.ID)
		return http.StatusCreated, ShowDuel(d.Game, again, r.Caller), false, err
	})
}

// GetDuel reads GET /v1/duels/{id}.
func (d Duels) GetDuel(w http.ResponseWriter, r *gate.Request) error {
	id, err := pathDuel(r)
	if err != nil {
		return err
	}
	var found game.Duel
	if r.Caller.IsServer() {
		found, err = d.Duels.Duel(r.Context(), id)
	} else {
		found, err = d.Duels.See(r.Context(), id, r.Caller.Player.ID)
	}
	if err != nil {
		return err
	}
	return respond.JSON(w, r.Request, http.StatusOK, ShowDuel(d.Game, found, r.Caller))
}
