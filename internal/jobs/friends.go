package jobs

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/friends"
	"github.com/framedle/leaderboards/internal/history"
	"github.com/framedle/leaderboards/internal/removal"
	"github.com/framedle/leaderboards/internal/roster"
)

// Friends wires who is whose friend; nil without an archive.
func Friends(a *app.App, kept *archive.Archive) *friends.Service {
	if kept == nil {
		return nil
	}
	return friends.System(kept, a.Lists(), a.Now)
}

// Roster wires what Clerk tells. The archive may be nil.
func Roster(a *app.App, kept *archive.Archive) *roster.Roster {
	r := &roster.Roster{Store: a.Store(), Redis: a.Redis(), Eraser: eraser{a, Removals(a, kept)}, Now: a.Now}
	if kept != nil {
		r.Profiles, r.Memberships = history.New(kept), keptMemberships{archive.NewKept(kept)}
	}
	return r
}

// keptMemberships is the archive as package roster sees it.
type keptMemberships struct{ archive.Kept }

func (k keptMemberships) KeepMemberships(ctx context.Context, all []roster.Membership, at time.Time) error {
	rows := make([]archive.Membership, len(all))
	for i, m := range all {
		rows[i] = archive.Membership(m)
	}
	return away(k.PutMemberships(ctx, rows, at))
}

func (k keptMemberships) EndMembership(ctx context.Context, m roster.Membership, at time.Time) error {
	return away(k.Kept.EndMembership(ctx, archive.Membership(m), at))
}

// clerkName is what the audit calls the Clerk instance.
const clerkName = "clerk"

// eraser erases players as the Clerk instance asks for it.
type eraser struct {
	app      *app.App
	removals *removal.Service
}

func (e eraser) ErasePlayer(ctx context.Context, player, act string) error {
	_, err := e.removals.Erase(ctx, player, removal.Act{ID: act, Actor: clerkName, At: e.app.Now()})
	return err
}
