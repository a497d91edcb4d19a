package jobs

import (
	"context"
	"errors"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/feature/friend/friendstore"
	"github.com/framedle/leaderboards/internal/product/app"
)

// Friends makes the service of friends; nil without an archive.
func Friends(a *app.App, kept *archive.Archive) *friend.Service {
	if kept == nil {
		return nil
	}
	return friend.System(friendstore.In(kept), a.Lists(), a.Now)
}

// Friendships is Friends for the API: without an archive, no friendships at all.
func Friendships(a *app.App, kept *archive.Archive) friend.Friendships {
	if f := Friends(a, kept); f != nil {
		return f
	}
	return nil
}

// settleFriends finishes what changes of friends have left undone.
func (j *Jobs) settleFriends(ctx context.Context) error {
	if j.friends == nil {
		return nil
	}
	return j.friends.Settle(ctx)
}

// friendsMayMeet returns refused if a block separates the player and one of the others.
func friendsMayMeet(ctx context.Context, a *app.App, refused error, player string, others ...string) error {
	err := a.Lists().MayMeet(ctx, player, others...)
	if errors.Is(err, friend.ErrBlocked) {
		return refused
	}
	return err
}
