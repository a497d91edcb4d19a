package jobs

import (
	"context"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/clerk"
	"github.com/framedle/leaderboards/internal/lifecycle/reconcile"
	"github.com/framedle/leaderboards/internal/lifecycle/restore"
	"github.com/framedle/leaderboards/internal/product/app"
)

// refillCommands bounds what one run of cron-daily brings to an archive that was lost: some
// ten runs do it for 100,000 players. Otherwise it costs nothing.
const refillCommands = 40

// Sides makes the comparison of Redis and the archive; nil without an archive.
func Sides(a *app.App, kept *archive.Archive) *reconcile.Sides {
	if kept == nil {
		return nil
	}
	removals := Removals(a, kept)
	return &reconcile.Sides{
		Now: a.Now, Redis: restore.NewBackflow(a.Store().Restore), Lists: a.Lists(), Groups: clerk.NewGroups(a.Redis()),
		Duels: Duels(a, kept).Keeper(), Friends: Friends(a, kept), Archive: kept,
		Erase: func(ctx context.Context, player string) error {
			return removals.EraseAgain(ctx, player, restoreName)
		},
	}
}

// refill brings what Redis has of players to an archive that was lost, a part with each run.
//
// Cost: none once the archive has it all.
func (j *Jobs) refill(ctx context.Context) error {
	if j.sides == nil {
		return nil
	}
	_, err := j.sides.Refill(ctx, reconcile.Options{Commands: refillCommands})
	return err
}
