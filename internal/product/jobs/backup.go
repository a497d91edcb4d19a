package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/platform/wait"
)

// SaveAll archives everything that the archive can have of Redis, for a backup: what cron-save
// archives, the groups of open days, closed days that the archive lacks, and profiles, bans,
// claims, memberships, friends and duels. Unfinished claims and removals are finished first.
//
// It does not repair: if Redis has lost boards that the archive has, or is another one, it
// returns an error, since the archive then has what must be restored first.
func (j *Jobs) SaveAll(ctx context.Context) (closing.SaveReport, error) {
	if j.closing.Archive == nil {
		return closing.SaveReport{}, closing.ErrNoArchive
	}
	err := errors.Join(
		j.tidy(ctx),
		j.saveDuels(ctx),
		j.savePlays(ctx),
	)
	if err != nil {
		return closing.SaveReport{}, err
	}
	if _, err := j.closing.Refill(ctx, closing.RefillOptions{}); err != nil {
		return closing.SaveReport{}, err
	}
	if _, err := j.sides.Refill(ctx, closing.SidesOptions{All: true}); err != nil {
		return closing.SaveReport{}, err
	}
	report, err := j.closing.SaveWhole(ctx)
	for tries := 0; err == nil && report.Busy && tries < saveTries; tries++ {
		if err = wait.Sleep(ctx, time.Second); err == nil {
			report, err = j.closing.SaveWhole(ctx)
		}
	}
	switch {
	case err != nil:
	case report.Busy:
		err = closing.ErrAtWork
	case report.Elsewhere > 0 || len(report.Short) > 0:
		err = fmt.Errorf("redis lacks what the archive has (%d days of another Redis, and of %v): cron-save restores it, or lbctl restore", report.Elsewhere, report.Short)
	}
	return report, err
}

// saveTries is how many seconds SaveAll waits for a schedule that is at work.
const saveTries = 120
