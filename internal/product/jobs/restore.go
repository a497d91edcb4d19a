package jobs

import (
	"context"
	"errors"
	"maps"

	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

// restoreName is the actor in the audit for a restore that erases players once more.
const restoreName = "restore"

// Restore makes everything in Redis again from the archive. If the archive has less than Redis
// of anything, it returns a *closing.LackError before it writes anything, unless forced; a dry
// run reports what the archive lacks. Players who are erased meanwhile are erased once more in
// the end.
func Restore(ctx context.Context, c *closing.Closing, s *closing.Sides, o closing.RestoreOptions) (report closing.RestoreReport, err error) {
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
func eraseAgain(ctx context.Context, c *closing.Closing, s *closing.Sides, bring func() error) error {
	run, err := c.Store.Repair.BeginRestoring(ctx, s.Erase)
	if err != nil {
		return err
	}
	return errors.Join(bring(), run.End(ctx))
}

func restoreAll(ctx context.Context, c *closing.Closing, s *closing.Sides, o closing.RestoreOptions) (closing.RestoreReport, error) {
	lacks, err := lacks(ctx, c, s)
	if err != nil {
		return closing.RestoreReport{}, err
	}
	if len(lacks) > 0 && !o.Force && !o.DryRun {
		return closing.RestoreReport{}, &closing.LackError{Lacks: lacks}
	}
	mirrored, err := s.Restore(ctx, o.DryRun)
	if err != nil {
		return closing.RestoreReport{Features: mirrored}, err
	}
	// Days come last: until they are this Redis' own, it counts as not restored. And XP is
	// made from XP of duels too.
	report, err := c.Restore(ctx, o)
	if report.Lacks = lacks; report.Features == nil {
		report.Features = mirrored
	} else {
		maps.Copy(report.Features, mirrored)
	}
	return report, err
}

// lacks describes what Redis has and the archive lacks.
func lacks(ctx context.Context, c *closing.Closing, s *closing.Sides) ([]string, error) {
	lacks, err := c.Lacks(ctx)
	if err != nil {
		return nil, err
	}
	others, err := s.Lacks(ctx)
	return append(lacks, others...), err
}
