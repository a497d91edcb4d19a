package clerk

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
	"github.com/framedle/leaderboards/internal/player"
)

// MostAtOnce is how many users or memberships are taken in at once.
const MostAtOnce = player.MostReported

// TakeUsers takes in up to 500 different users in Clerk's present state, as if each had come
// by webhook. It returns the number of changed ones; a dry run only counts. It may be
// repeated.
//
// Cost: 1 billed command, some 8 for all changed ones together, and 1 for each user who was
// changed in the last week.
func (r *Roster) TakeUsers(ctx context.Context, users []webhook.UserSaved, act string, dryRun bool) (news int, err error) {
	if len(users) == 0 {
		return 0, nil
	}
	all := make([]game.PlayerProfile, len(users))
	for i, u := range users {
		all[i] = reportedProfile(u)
	}
	saved, err := r.Players.SaveAllReported(ctx, all, dryRun)
	if err != nil || dryRun {
		return len(saved), err
	}
	return len(saved), r.keep(ctx, act, saved)
}

// TakeMembers takes in up to 500 memberships in Clerk's present state. It may be repeated.
//
// Cost: up to 5 billed commands in 1 round trip.
func (r *Roster) TakeMembers(ctx context.Context, members []webhook.MembershipSaved) error {
	if len(members) == 0 {
		return nil
	}
	return r.joinAll(ctx, members)
}
