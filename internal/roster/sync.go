package roster

import (
	"context"

	"github.com/framedle/leaderboards/internal/auth/webhook"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/profiles"
)

// MostAtOnce is how many users or memberships are taken in at once.
const MostAtOnce = profiles.MostTold

// TakeUsers takes in up to 500 different users as Clerk has them now, as if each
// had been told by webhook. It returns how many were news; a dry run only looks. It
// may be repeated.
//
// Cost: 1 billed command, some 8 for all news together, and 1 for each user who
// was changed in the last week.
func (r *Roster) TakeUsers(ctx context.Context, users []webhook.UserSaved, act string, dryRun bool) (news int, err error) {
	if len(users) == 0 {
		return 0, nil
	}
	all := make([]game.PlayerProfile, len(users))
	for i, u := range users {
		all[i] = told(u)
	}
	saved, err := r.Store.Players.SaveAllTold(ctx, all, dryRun)
	if err != nil || dryRun {
		return len(saved), err
	}
	return len(saved), r.keep(ctx, act, saved)
}

// TakeMembers takes in up to 500 memberships as Clerk has them now. It may be
// repeated.
//
// Cost: up to 5 billed commands in 1 round trip.
func (r *Roster) TakeMembers(ctx context.Context, members []webhook.MembershipSaved) error {
	if len(members) == 0 {
		return nil
	}
	return r.joinAll(ctx, members)
}
