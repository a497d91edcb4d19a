package jobs

import (
	"context"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/clerk"
	"github.com/framedle/leaderboards/internal/feature/clerk/clerkstore"
	"github.com/framedle/leaderboards/internal/feature/duel/duelstore"
	"github.com/framedle/leaderboards/internal/feature/friend/friendstore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/internal/product/app"
)

// refillCommands bounds what one run of cron-daily brings to an archive that was lost: some
// ten runs do it for 100,000 players. Otherwise it costs nothing.
const refillCommands = 40

// Sides makes the comparison of Redis and the archive; nil without an archive.
func Sides(a *app.App, kept *archive.Archive) *closing.Sides {
	if kept == nil {
		return nil
	}
	removals := Removals(a, kept)
	return &closing.Sides{
		Archive: kept,
		Mirrors: append(
			closing.KernelMirrors(lifecycle.NewBackflow(a.Store().Restore), kept, a.Now),
			clerk.NewGroups(a.Redis()).Mirror(clerkstore.In(kept), a.Now),
			Friends(a, kept).Mirror(a.Lists(), friendstore.In(kept)),
			Duels(a, kept).Keeper().Mirror(duelstore.In(kept)),
			HeldPlays(a, kept).Mirror(a.Game()),
			monthMirror(a, kept),
		),
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
	_, err := j.sides.Refill(ctx, closing.SidesOptions{Commands: refillCommands})
	return err
}

// monthMirror puts back what a month has spent, which budgets are held against.
func monthMirror(a *app.App, kept *archive.Archive) lifecycle.Mirror {
	return lifecycle.Mirror{Name: "usage", Restore: func(ctx context.Context, dryRun bool) (any, error) {
		if dryRun || a.Game().Budget.Month == 0 {
			return nil, nil
		}
		return nil, usage.NewLedger(a.Redis(), pastUsage{kept.Usage}).RestoreMonth(ctx, game.DateOf(a.Now()))
	}}
}
