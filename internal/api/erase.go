package api

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/ops"
	"github.com/framedle/leaderboards/internal/removal"
)

// deleteMe erases the owner of the session token: DELETE /v1/me.
func (m me) deleteMe(w http.ResponseWriter, r *gate.Request) error {
	player := r.Caller.Player
	if err := m.Notices.MayWrite(r.Context()); err != nil {
		return err
	}
	fits := func(ctx context.Context) error {
		return gate.CostsMore(ctx, erasureIn(m.Game)-erasureOf)
	}
	did, err := m.services.Removals.EraseOwn(r.Context(), player.ID, removal.ActOf(r.Header.Get(answers.RequestID), player.ID, m.Now()), fits)
	if err != nil {
		return err
	}
	return ops.WriteErasure(w, r, player.ID, did)
}
