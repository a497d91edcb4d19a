package api

import (
	"context"
	"net/http"

	"github.com/framedle/leaderboards/internal/auth"
)

// deleteMe erases the owner of the session token: DELETE /v1/me.
func (m me) deleteMe(w http.ResponseWriter, r *http.Request) error {
	player, err := m.authenticatePlayer(r)
	if err != nil {
		return err
	}
	if err := newQuery(r).done(); err != nil {
		return err
	}
	if err := m.Store.MayWrite(r.Context()); err != nil {
		return err
	}
	fits := func(ctx context.Context) error {
		if auth.IsDevice(player.ID) {
			return nil
		}
		return holdMore(ctx, erasureIn(m.Game)-held(erasing))
	}
	did, err := m.removals.EraseOwn(r.Context(), player.ID, m.act(r, player.ID), fits)
	if err != nil {
		return err
	}
	return writeErasure(w, r, player.ID, did)
}
