package api

import (
	"context"
	"net/http"
)

// deleteMe erases the owner of the session token: DELETE /v1/me.
func (m me) deleteMe(w http.ResponseWriter, r *request) error {
	player := r.caller.player
	if err := newQuery(r).done(); err != nil {
		return err
	}
	if err := m.Store.Notices.MayWrite(r.Context()); err != nil {
		return err
	}
	fits := func(ctx context.Context) error {
		return holdMore(ctx, erasureIn(m.Game)-erasureOf)
	}
	did, err := m.removals.EraseOwn(r.Context(), player.ID, m.act(r, player.ID), fits)
	if err != nil {
		return err
	}
	return writeErasure(w, r, player.ID, did)
}
