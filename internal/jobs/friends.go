package jobs

import (
	"context"

	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/friends"
	"github.com/framedle/leaderboards/internal/history"
	"github.com/framedle/leaderboards/internal/removal"
	"github.com/framedle/leaderboards/internal/roster"
)

// Friends makes the service of friends; nil without an archive.
func Friends(a *app.App, kept *archive.Archive) *friends.Service {
	if kept == nil {
		return nil
	}
	return friends.System(kept.Friends, a.Lists(), a.Now)
}

// Roster makes the roster that applies Clerk's news. The archive may be nil.
func Roster(a *app.App, kept *archive.Archive) *roster.Roster {
	r := &roster.Roster{Players: a.Store().Players, Redis: a.Redis(), Eraser: eraser{a, Removals(a, kept)}, Now: a.Now}
	if kept != nil {
		r.Profiles, r.Memberships = history.New(kept), kept.Memberships
	}
	return r
}

// clerkName is the actor in the audit for the Clerk instance.
const clerkName = "clerk"

// eraser erases players when the Clerk instance asks for it.
type eraser struct {
	app      *app.App
	removals *removal.Service
}

func (e eraser) ErasePlayer(ctx context.Context, player, act string) error {
	_, err := e.removals.Erase(ctx, player, removal.Act{ID: act, Actor: clerkName, At: e.app.Now()})
	return err
}
