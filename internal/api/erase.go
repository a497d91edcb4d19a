package api

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/ops"
	"github.com/framedle/leaderboards/internal/removal"
)

// Erasures erases everything that is kept of a player, at that player's request.
type Erasures interface {
	EraseOwn(ctx context.Context, player string, act removal.Act, before func(context.Context) error) (removal.Report, error)
}

// deleteMe erases the owner of the session token: DELETE /v1/me.
func (m me) deleteMe(w http.ResponseWriter, r *gate.Request) error {
	player := r.Caller.Player
	if err := fields.OpenQuery(r.URL).Done(); err != nil {
		return err
	}
	if err := m.writable.MayWrite(r.Context()); err != nil {
		return err
	}
	fits := func(ctx context.Context) error {
		return gate.CostsMore(ctx, erasureIn(m.game)-erasureOf)
	}
	did, err := m.removals.EraseOwn(r.Context(), player.ID, removal.ActOf(r.Header.Get(answers.RequestID), player.ID, m.now()), fits)
	if err != nil {
		return err
	}
	return ops.WriteErasure(w, r, player.ID, did)
}
