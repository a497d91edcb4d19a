package closing

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// RestoreOptions say what to restore, and whom to inform.
type RestoreOptions struct {
	Modes []*game.Mode // nil: all
	// DryRun only reports what would be made.
	DryRun bool
	// Force restores even if the archive has less than Redis.
	Force bool
	// Resume skips days that an earlier run has brought back, and returns ErrOutOfTime when
	// the deadline is near: the next run continues.
	Resume bool
	// Step is called after each step with the number of steps done, and of all.
	Step func(done, all int, what string)
}

// RestoreReport is what was made again.
type RestoreReport struct {
	Lacks    []string `json:"lacks,omitempty"` // what Redis has and the archive lacks
	Days     int      `json:"days"`            // day boards of all players
	Open     int      `json:"open"`            // of these, days that had not closed when they were last archived
	Results  int64    `json:"results"`         // entries of the day boards
	RolledUp int      `json:"folded"`          // boards of days that are older than day boards live
	Periods  int      `json:"periods"`         // boards of closed weeks, months and seasons
	Streaks  int      `json:"streaks"`         // players
	Profiles int      `json:"profiles"`        // players
	Bans     int      `json:"bans"`
	Posted   int      `json:"posted"` // submissions of open days, from the outbox
	Spent
	Features map[string]any `json:"-"` // what features report, by name; as JSON, fields beside the others
}

// MarshalJSON writes the features' reports beside the other fields.
func (r RestoreReport) MarshalJSON() ([]byte, error) {
	type plain RestoreReport
	return lifecycle.WithFields(plain(r), r.Features)
}

// Restore makes every board, streak and name again from the archive. Modes may be restored one
// by one; XP, streaks and names are always made. It may be repeated, and keeps the daily job
// from running meanwhile.
func (c *Closing) Restore(ctx context.Context, o RestoreOptions) (RestoreReport, error) {
	var report RestoreReport
	if c.Archive == nil {
		return report, ErrNoArchive
	}
	modes := o.Modes
	if modes == nil {
		modes = c.Game.Modes
	}
	r := &restoring{c: c, clock: c.clock(), options: o, report: &report, modes: modes}
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
		return alone(ctx, c.Store.DB, "daily", r.run)
	})
	report.Spent = spent
	return report, err
}

type restoring struct {
	c *Closing // everything in its store is made again
	clock
	options RestoreOptions
	report  *RestoreReport
	modes   []*game.Mode
	into    sink              // the history, as this Redis writes it
	foreign []lostDay         // days that the archive has from another Redis
	merged  map[string]string // how far days of a lost Redis are, by field
	done    int
	all     int
}

// ErrOutOfTime is returned if a restore that may be resumed has no time left.
var ErrOutOfTime = errors.New("the time ran out; the next run continues")

func (r *restoring) step(what string) {
	r.done++
	if r.options.Step != nil {
		r.options.Step(r.done, r.all, what)
	}
}

func (r *restoring) run(ctx context.Context) error {
	if !r.options.DryRun {
		var err error
		if r.into, err = r.c.sink(ctx); err != nil {
			return err
		}
	}
	days := make([][]archive.ArchivedDay, len(r.modes))
	tomorrow := r.today().AddDays(1)
	for i, m := range r.modes {
		var err error
		if days[i], err = r.c.Archive.Days.Between(ctx, m.Name, beginning, tomorrow); err != nil {
			return err
		}
		r.all += len(days[i]) + 1
	}
	r.all += 12
	if r.options.Resume {
		var err error
		if r.merged, err = r.c.Store.Restore.Merged(ctx); err != nil {
			return err
		}
	}
	// Bans come first: otherwise a banned player could come back by a play meanwhile.
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
		what    string
		reports bool // a dry run makes it too, and only reports it
		make    func(context.Context) error
	}{
		{"XP", true, r.xp}, {"streaks", true, r.streaks}, {"names", true, r.profiles},
		{"open days", false, r.posted}, {"features", false, r.features}, {"folds", false, r.rollUpDue},
		{"boards of now", false, r.derive},
		// Now every process, also this one, has to notice that Redis is another one: what they
		// remember of it may be lost or replaced.
		{"epoch", false, r.c.Store.Notices.BeginEpoch},
		{"features that come late", true, r.late}, {"days of a lost Redis", false, r.adopt},
		{"boards that were looked at", false, r.runAgain},
	} {
		if part.reports || !r.options.DryRun {
			if err := part.make(ctx); err != nil {
				return fmt.Errorf("restore %s: %w", part.what, err)
			}
		}
		r.step(part.what)
	}
	return nil
}

// features puts back what features have kept.
func (r *restoring) features(ctx context.Context) error {
	return lifecycle.Each(r.c.Features, func(f lifecycle.Restorer) error {
		if err := f.Restore(ctx); err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
		return nil
	})
}

// late puts back what features keep that must come after epoch, so that nothing that this process
// remembers is in the way.
func (r *restoring) late(ctx context.Context) error {
	return lifecycle.Each(r.c.Features, func(f lifecycle.LateRestorer) error {
		n, err := f.RestoreLate(ctx, r.options.DryRun)
		if r.report.Features == nil {
			r.report.Features = map[string]any{}
		}
		r.report.Features[f.Name()] = n
		return err
	})
}

// derive makes the boards of everybody that are made from days: who looked at them before the
// restore has found them empty, and would not make them again for a while.
func (r *restoring) derive(ctx context.Context) error {
	for _, m := range r.modes {
		var boards []game.Board
		for _, p := range r.game.PeriodsOf(r.today()) {
			boards = append(boards, game.BoardOf(m, p, game.Scope{}))
		}
		if err := r.c.Store.Rollup.DeriveNow(ctx, m, boards); err != nil {
			return err
		}
	}
	return nil
}

// runAgain makes every derived board again that somebody has looked at since the loss: it lacks
// what the restore has brought.
func (r *restoring) runAgain(ctx context.Context) error {
	for _, m := range r.modes {
		global, scoped, err := r.c.Store.Rollup.Calendar.Indexes(ctx, m)
		if err != nil {
			return err
		}
		scopes := slices.Concat([]game.Scope{{}}, scopesByCountry(m), derive.SortedScopes(scoped))
		if m.HasScope(game.Teams) {
			scopes = append(scopes, game.TeamsScope())
		}
		var boards []game.Board
		for _, p := range periodsOf(r.game, m, global.Dates) {
			for _, scope := range scopes {
				if b := game.BoardOf(m, p, scope); b.Derived() && !r.c.Store.Rollup.Frozen(b) {
					boards = append(boards, b)
				}
			}
		}
		if err := r.c.Store.Rollup.MakeAgain(ctx, boards); err != nil {
			return err
		}
	}
	return nil
}

// rollUpDue rolls up restored days that had been rolled up before and may expire before the
// next daily run.
func (r *restoring) rollUpDue(ctx context.Context) error {
	view, err := r.c.Store.Rollup.Calendar.Survey(ctx)
	if err != nil {
		return err
	}
	_, err = r.c.Store.Days.RollUpDays(ctx, view)
	return err
}
