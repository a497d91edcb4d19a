package closing

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// lostDay is a day of a mode that was archived from a Redis that has been lost.
type lostDay struct {
	mode *game.Mode
	date game.Date
	from string
}

func (r *restoring) mode(ctx context.Context, m *game.Mode, days []archive.ArchivedDay) error {
	oldest := r.oldest()
	var periods []game.Period
	for _, d := range days {
		for _, p := range r.game.PeriodsOf(d.Date) {
			if p.Kind() != game.AllTime && !slices.Contains(periods, p) && r.lives(p) {
				periods = append(periods, p)
			}
		}
		if err := r.day(ctx, m, d, d.Date.Before(oldest)); err != nil {
			return err
		}
		r.step(m.Name + " " + d.Date.String())
	}
	scopes, err := writtenScopes(ctx, r.c.Archive, m, beginning, r.today().AddDays(1))
	if err != nil {
		return err
	}
	for _, scope := range scopes {
		if err := (lasting{r}).outliving(ctx, m, scope, periods, oldest); err != nil {
			return err
		}
	}
	if m.HasScope(game.Teams) {
		if err := (lasting{r}).teams(ctx, m, periods); err != nil {
			return err
		}
	}
	r.step(m.Name)
	return nil
}

// writtenScopes returns the global scope and the other scopes of some days' boards, without
// countries: their boards are made from the others when somebody looks.
func writtenScopes(ctx context.Context, kept *archive.Archive, m *game.Mode, from, to game.Date) ([]game.Scope, error) {
	scopes, err := kept.Results.Scopes(ctx, m.Name, from, to)
	return append([]game.Scope{{}}, slices.DeleteFunc(scopes, game.Scope.ByCountry)...), err
}

// day makes a day's boards or, if they have left Redis, notes that they were rolled up.
func (r *restoring) day(ctx context.Context, m *game.Mode, d archive.ArchivedDay, rolledUp bool) error {
	lost := "" // the name of the lost Redis that the day is from
	if d.Source != r.into.source && !r.options.DryRun {
		lost = d.Source
	}
	if lost != "" {
		r.foreign = append(r.foreign, lostDay{m, d.Date, lost})
	}
	switch {
	case r.options.Resume && lifecycle.OutOfTime(ctx):
		return ErrOutOfTime
	case rolledUp:
		return r.noteRolledUp(ctx, m, d.Date)
	case lost != "" && lifecycle.MergedAll(r.merged, m, d.Date, lost):
		return r.open(ctx, m, d.Date)
	case lost == "" && !r.options.DryRun: // an earlier run may have brought it, and devices were claimed since
		if err := r.into.giveDay(ctx, game.DayName{Mode: m.Name, Date: d.Date}); err != nil {
			return err
		}
	}
	var results []game.Result
	err := r.c.Archive.Results.OfDay(ctx, m.Name, d.Date, func(page []game.Result) error {
		results = append(results, page...)
		return nil
	})
	if err != nil {
		return err
	}
	r.report.Days++
	r.report.Results += int64(len(results))
	if !d.Complete {
		r.report.Open++
	}
	if r.options.DryRun {
		return nil
	}
	// A day that lost a score after its closing was to be closed once more: only then is what the
	// score has earned taken out too.
	closed := d.Complete && !d.Changed
	if lost != "" {
		there, err := r.c.Store.DB.Exists(ctx, game.DayBoardKey(m.Name, d.Date))
		if err != nil {
			return err
		}
		// Somebody may have played since, or may be playing now. A sum is merged in any case:
		// after a restore that was cut off, nothing else shows what it contains.
		if there || !d.Complete || m.Policy == game.Sum {
			return r.c.Store.Restore.MergeDay(ctx, m, d.Date, results, lost, closed && !there)
		}
	}
	return r.c.Store.Restore.RestoreDay(ctx, m, d.Date, results, closed, lost)
}

// noteRolledUp notes an expired day as rolled up, if a month or season needs that, and puts
// back what rolling boards need of it.
func (r *restoring) noteRolledUp(ctx context.Context, m *game.Mode, d game.Date) error {
	if !r.outlived(d) || r.options.DryRun {
		return nil
	}
	scopes, err := writtenScopes(ctx, r.c.Archive, m, d, d)
	if err != nil {
		return err
	}
	for _, scope := range scopes {
		if err := r.c.Store.Restore.NoteRolledUp(ctx, m, d, scope); err != nil {
			return err
		}
	}
	return lasting{r}.rolling(ctx, m, d, scopes)
}

// open makes a day that an earlier run has brought back count as not rolled up: whatever that
// run rolled up of it is replaced.
func (r *restoring) open(ctx context.Context, m *game.Mode, d game.Date) error {
	scopes, err := writtenScopes(ctx, r.c.Archive, m, d, d)
	if err != nil {
		return err
	}
	for _, scope := range scopes {
		if err := r.c.Store.Restore.NoteOpen(ctx, m, d, scope); err != nil {
			return err
		}
	}
	return nil
}

// adopt notes that this Redis archives from now on the days that it has taken over, unless it
// too was lost meanwhile.
func (r *restoring) adopt(ctx context.Context) error {
	if len(r.foreign) == 0 {
		return nil
	}
	if err := r.c.Store.Notices.FromSource(ctx, r.into.source); err != nil {
		return err
	}
	for _, day := range r.foreign {
		if err := r.c.Archive.Days.Adopt(ctx, day.mode.Name, day.date, day.from, r.into.source); err != nil {
			return err
		}
		if !r.lives(game.Day.Of(day.date)) {
			continue
		}
		// What was claimed meanwhile could not be given: the day was of another Redis.
		if err := r.into.giveDay(ctx, game.DayName{Mode: day.mode.Name, Date: day.date}); err != nil {
			return err
		}
		if err := r.c.Store.Restore.ForgetMerged(ctx, day.mode, day.date); err != nil {
			return err
		}
	}
	return nil
}
