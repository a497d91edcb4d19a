package jobs

import (
	"context"
	"errors"

	"github.com/framedle/leaderboards/internal/product/app"
)

// mayMeet returns refused if one of the others is banned, or if a block separates the player
// and one of them.
func mayMeet(ctx context.Context, a *app.App, refused error, player string, others ...string) error {
	for _, other := range others {
		banned, err := a.Store().Notices.IsBanned(ctx, other)
		if err != nil || banned {
			return errors.Join(err, refused)
		}
	}
	if err := friendsMayMeet(ctx, a, refused, player, others...); err != nil {
		return err
	}
	return nil
}
