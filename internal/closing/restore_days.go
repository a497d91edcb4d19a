package closing

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/restore"
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
	scopes, err := r.archive.Results.Scopes(ctx, m.Name, beginning, r.today().AddDays(1))
	if err != nil {
		return err
	}
	for _, scope := range written(scopes) {
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

// written returns the global scope and those of some scopes whose boards are written. Boards
// by country are made from the others when somebody looks.
func written(scopes []game.Scope) []game.Scope {
	groups := []game.Scope{{}}
	for _, scope := range scopes {
		if !scope.ByCountry() {
			groups = append(groups, scope)
		}
	}
	return groups
}

// day makes a day's boards or, if they have left Redis, notes that they were rolled up.
func (r *restoring) day(ctx context.Context, m *game.Mode, d archive.ArchivedDay, rolledUp bool) error {
	lost := d.Source != "" && d.Source != r.source && !r.options.DryRun
	if lost {
		r.foreign = append(r.foreign, lostDay{m, d.Date, d.Source})
	}
	if r.options.Resume && outOfTime(ctx) {
		return ErrOutOfTime
	}
	if rolledUp {
		noted := slices.ContainsFunc(r.game.OutlivingOf(d.Date), func(p game.Period) bool { return p.Kind() != game.AllTime && r.lives(p) })
		if !noted || r.options.DryRun {
			return nil
		}
		scopes, err := r.archive.Results.Scopes(ctx, m.Name, d.Date, d.Date)
		if err != nil {
			return err
		}
		for _, scope := range written(scopes) {
			if err := r.redis.Restore.NoteRolledUp(ctx, m, d.Date, scope); err != nil {
				return err
			}
		}
		return lasting{r}.rolling(ctx, m, d.Date, written(scopes))
	}
	if lost && restore.MergedAll(r.merged, m, d.Date, d.Source) {
		return r.open(ctx, m, d.Date)
	}
	var results []game.Result
	err := r.archive.Results.OfDay(ctx, m.Name, d.Date, func(page []game.Result) error {
		for _, r := range page {
			r.Details = slices.Clone(r.Details) // the page is reused
			results = append(results, r)
		}
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
	if lost {
		there, err := r.redis.DB.Exists(ctx, game.DayBoardKey(m.Name, d.Date))
		if err != nil {
			return err
		}
		// Somebody may have played since, or may be playing now. A sum is merged in any case:
		// after a restore that was cut off, nothing else shows what it contains.
		if there || !d.Complete || m.Policy == game.Sum {
			return r.redis.Restore.MergeDay(ctx, m, d.Date, results, d.Source, closed && !there)
		}
	}
	from := ""
	if lost {
		from = d.Source
	}
	return r.redis.Restore.RestoreDay(ctx, m, d.Date, results, closed, from)
}

// open makes a day that an earlier run has brought back count as not rolled up: whatever that
// run rolled up of it is replaced.
func (r *restoring) open(ctx context.Context, m *game.Mode, d game.Date) error {
	scopes, err := r.archive.Results.Scopes(ctx, m.Name, d, d)
	if err != nil {
		return err
	}
	for _, scope := range written(scopes) {
		if err := restore.NoteOpen(ctx, r.redis.Restore, m, d, scope); err != nil {
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
	if err := r.redis.Notices.FromSource(ctx, r.source); err != nil {
		return err
	}
	for _, day := range r.foreign {
		if err := r.archive.Days.Adopt(ctx, day.mode.Name, day.date, day.from, r.source); err != nil {
			return err
		}
		if !r.lives(game.Day.Of(day.date)) {
			continue
		}
		if err := r.redis.Restore.ForgetMerged(ctx, day.mode, day.date); err != nil {
			return err
		}
	}
	return nil
}
