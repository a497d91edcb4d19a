package jobs

import (
	"context"
	"errors"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/play/review"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/lifecycle/recompute"
	"github.com/framedle/leaderboards/internal/lifecycle/reconcile"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// Restored is what a restore has made, or would make.
type Restored struct {
	closing.Restored
	Friends     int           `json:"friends"` // players with lists of friends, blocks or requests
	Duels       duel.Restored `json:"duels"`
	Claims      int           `json:"claims"`
	Memberships int           `json:"memberships"`
}

// restoreName is the actor in the audit for a restore that erases players once more.
const restoreName = "restore"

// Restore makes everything in Redis again from the archive. If the archive has less than Redis
// of anything, it returns a *closing.LackError before it writes anything, unless forced; a dry
// run reports what the archive lacks. Players who are erased meanwhile are erased once more in
// the end.
func Restore(ctx context.Context, c *closing.Closing, s *reconcile.Sides, o closing.RestoreOptions) (report Restored, err error) {
	if o.DryRun {
		return restoreAll(ctx, c, s, o)
	}
	err = eraseAgain(ctx, c, s, func() error {
		report, err = restoreAll(ctx, c, s, o)
		return err
	})
	return report, err
}

// eraseAgain runs bring, which puts back what the archive had. Then it erases once more all
// players whose erasure was not done when it began.
func eraseAgain(ctx context.Context, c *closing.Closing, s *reconcile.Sides, bring func() error) error {
	run, err := recompute.BeginRestoring(ctx, c.Store.Repair, s.Erase)
	if err != nil {
		return err
	}
	return errors.Join(bring(), run.End(ctx))
}

func restoreAll(ctx context.Context, c *closing.Closing, s *reconcile.Sides, o closing.RestoreOptions) (Restored, error) {
	lacks, err := lacks(ctx, c, s)
	if err != nil {
		return Restored{}, err
	}
	if len(lacks) > 0 && !o.Force && !o.DryRun {
		return Restored{}, &closing.LackError{Lacks: lacks}
	}
	var report Restored
	if report.Duels, err = s.Duels.Restore(ctx, o.DryRun); err != nil {
		return report, err
	}
	others, err := s.Restore(ctx, o.DryRun)
	report.Claims, report.Memberships = others.Claims, others.Memberships
	if err != nil {
		return report, err
	}
	if !o.DryRun {
		if report.Friends, err = s.Friends.Restore(ctx); err != nil {
			return report, err
		}
	}
	if !o.DryRun {
		if err := (heldPlays{c.Archive.Held, review.New(c.Store.DB)}).restore(ctx, c.Game); err != nil {
			return report, err
		}
	}
	if !o.DryRun && c.Game.Budget.Month > 0 {
		if err := usage.NewLedger(c.Store.DB.Redis, pastUsage{c.Archive.Usage}).RestoreMonth(ctx, game.DateOf(c.Now())); err != nil {
			return report, err
		}
	}
	// Days come last: until they are this Redis' own, it counts as not restored. And XP is
	// made from XP of duels too.
	report.Restored, err = c.Restore(ctx, o)
	report.Lacks = lacks
	return report, err
}

// lacks describes the days, XP, duels and data of players that Redis has and the archive
// lacks.
func lacks(ctx context.Context, c *closing.Closing, s *reconcile.Sides) ([]string, error) {
	lacks, err := c.Lacks(ctx)
	if err != nil {
		return nil, err
	}
	duels, err := s.Duels.Lacks(ctx)
	if err != nil {
		return nil, err
	}
	if duels != "" {
		lacks = append(lacks, duels)
	}
	others, err := s.Lacks(ctx)
	return append(lacks, others...), err
}
