package jobs

import (
	"context"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/clerk"
	"github.com/framedle/leaderboards/internal/feature/clerk/clerkstore"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/product/app"
)

// Roster makes the roster that applies Clerk's news. The archive may be nil.
func Roster(a *app.App, kept *archive.Archive) *clerk.Roster {
	r := &clerk.Roster{Players: a.Store().Players, Redis: a.Redis(), Eraser: eraser{a, Removals(a, kept)}, Now: a.Now}
	if kept != nil {
		r.Profiles, r.Memberships = NewHistory(kept), clerkstore.In(kept)
	}
	return r
}

// clerkName is the actor in the audit for the Clerk instance.
const clerkName = "clerk"

// eraser erases players when the Clerk instance asks for it.
type eraser struct {
	app      *app.App
	removals *lifecycle.Removals
}

func (e eraser) ErasePlayer(ctx context.Context, player, act string) error {
	_, err := e.removals.Erase(ctx, player, lifecycle.Act{ID: act, Actor: clerkName, At: e.app.Now()})
	return err
}
