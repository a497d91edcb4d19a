package closing

import (
	"context"
	"errors"
	"fmt"

	"github.com/framedle/leaderboards/internal/activity"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/refill"
	"github.com/framedle/leaderboards/internal/standings"
)

// RestoreOptions say what to restore, and who is told how it goes.
type RestoreOptions struct {
	Modes []*game.Mode // nil: all
	// DryRun only tells what would be made.
	DryRun bool
	// Force restores from an archive that knows less than Redis does.
	Force bool
	// Resume leaves out days that an earlier run has brought back, and ends with
	// ErrOutOfTime where the deadline is near: the next run goes on.
	Resume bool
	// Step is told each step, of how many.
	Step func(done, all int, what string)
}

// Restored tells what was made again.
type Restored struct {
	Lacks    []string `json:"lacks,omitempty"` // that the archive does not have, and Redis has
	Days     int      `json:"days"`            // day boards of all players
	Open     int      `json:"open"`            // those whose day had not closed when they were last archived
	Results  int64    `json:"results"`         // entries of the day boards
	RolledUp int      `json:"folded"`          // boards of what is older than day boards live
	Periods  int      `json:"periods"`         // boards of closed weeks, months and seasons
	Streaks  int      `json:"streaks"`         // players
	Profiles int      `json:"profiles"`        // players
	Bans     int      `json:"bans"`
	Posted   int      `json:"posted"` // submissions of open days, from the outbox
	Acts     int      `json:"acts"`   // groups' days whose acts were kept
	Spent
}

// Restore makes every board, streak and name again from the archive. Modes may
// be restored one by one; XP, streaks and names are made in any case. It may be
// repeated, and holds off the daily job while it runs.
func (c *Closing) Restore(ctx context.Context, o RestoreOptions) (Restored, error) {
	var report Restored
	if c.Archive == nil {
		return report, ErrNoArchive
	}
	modes := o.Modes
	if modes == nil {
		modes = c.Game.Modes
	}
	r := &restore{c: c, clock: c.clock(), archive: c.Archive, redis: c.Store, options: o, report: &report, modes: modes}
	spent, err := c.metered(ctx, func(ctx context.Context) error {
		if err := r.ofThisGame(ctx, c.Archive); err != nil && !o.Force {
			return err
		}
		lacks, err := c.Lacks(ctx)
		if err != nil {
			return err
		}
		if report.Lacks = lacks; o.DryRun {
			return r.run(ctx)
		}
		if len(lacks) > 0 && !o.Force {
			return &LackError{lacks}
		}
		ran, err := c.Store.DB.WithLock(ctx, "daily", r.run)
		if err == nil && !ran {
			return errors.New("the daily job is at work; try again when it has ended")
		}
		return err
	})
	report.Spent = spent
	return report, err
}

type restore struct {
	c *Closing
	clock
	archive *archive.Archive
	redis   *standings.Parts // all of what is kept there is made again
	options RestoreOptions
	report  *Restored
	modes   []*game.Mode
	source  string            // of this Redis
	foreign []lostDay         // that the archive has from another one
	merged  map[string]string // how far days of a lost Redis are, by field
	done    int
	all     int
}

// ErrOutOfTime is returned where a restore that may be resumed has no time left.
var ErrOutOfTime = errors.New("there was not time for all of it; the next run goes on")

func (r *restore) step(what string) {
	r.done++
	if r.options.Step != nil {
		r.options.Step(r.done, r.all, what)
	}
}

func (r *restore) run(ctx context.Context) error {
	if !r.options.DryRun {
		var err error
		if r.source, err = r.redis.Notices.Source(ctx); err != nil {
			return err
		}
	}
	days := make([][]archive.ArchivedDay, len(r.modes))
	tomorrow := r.today().AddDays(1)
	for i, m := range r.modes {
		var err error
		if days[i], err = r.archive.Days.Between(ctx, m.Name, beginning, tomorrow); err != nil {
			return err
		}
		r.all += len(days[i]) + 1
	}
	r.all += 10
	if r.options.Resume {
		var err error
		if r.merged, err = refill.Merged(ctx, r.redis.Refill); err != nil {
			return err
		}
	}
	// Who may not play comes first: nobody comes back by a play meanwhile.
	if err := r.bans(ctx); err != nil {
		return fmt.Errorf("restore bans: %w", err)
	}
	r.step("bans")
	for i, m := range r.modes {
		if err := r.mode(ctx, m, days[i]); err != nil {
			return fmt.Errorf("restore %s: %w", m.Name, err)
		}
	}
	for _, part := range []struct {
		what string
		make func(context.Context) error
	}{{"XP", r.xp}, {"streaks", r.streaks}, {"names", r.profiles}, {"open days", r.posted}, {"wallets", r.wallets}, {"folds", r.rollUpDue}, {"epoch", r.epoch}, {"acts", r.acts}, {"days of a lost Redis", r.adopt}} {
		if err := part.make(ctx); err != nil {
			return fmt.Errorf("restore %s: %w", part.what, err)
		}
		r.step(part.what)
	}
	return nil
}

// acts puts back what players did on days that are open, and computes these once more.
// It comes behind the epoch: nothing that this process remembers is in the way.
func (r *restore) acts(ctx context.Context) error {
	days := r.redis.Activity
	if days == nil {
		return nil
	}
	if r.options.DryRun {
		kept, err := r.archive.Acts.Days(ctx)
		r.report.Acts = len(kept)
		return err
	}
	var err error
	keeping := activity.Keeping{Activity: days, Kept: r.archive.Acts, Returns: true, Over: r.c.GroupDay}
	if r.report.Acts, err = keeping.PutBack(ctx); err != nil {
		return err
	}
	_, err = keeping.Compute(ctx)
	return err
}

// wallets puts back what players have earned and spent.
func (r *restore) wallets(ctx context.Context) error {
	if r.options.DryRun {
		return nil
	}
	return wallets{r.c}.restore(ctx)
}

// rollUpDue rolls up restored days that had been rolled up before, and may expire
// before the next daily run.
func (r *restore) rollUpDue(ctx context.Context) error {
	if r.options.DryRun {
		return nil
	}
	view, err := r.redis.Rollup.Calendar.Survey(ctx)
	if err != nil {
		return err
	}
	_, err = r.redis.Days.RollUpDays(ctx, view)
	return err
}

// epoch has every process notice, this one too, that Redis is another one: what
// they took for granted may have been lost or replaced.
func (r *restore) epoch(ctx context.Context) error {
	if r.options.DryRun {
		return nil
	}
	return r.redis.Notices.BeginEpoch(ctx)
}
