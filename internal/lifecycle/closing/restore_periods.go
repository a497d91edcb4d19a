package closing

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
)

// lasting makes the boards that outlive their days.
type lasting struct{ *restoring }

// outliving makes the boards that outlive day boards: all time, months and seasons. It also
// makes the boards of weeks, months and seasons that are over, so that they need not be made
// from their days when somebody looks, and the boards of weeks of which some days have expired.
func (r lasting) outliving(ctx context.Context, m *game.Mode, scope game.Scope, periods []game.Period, oldest game.Date) error {
	last := oldest.AddDays(-1)
	if err := r.make(ctx, game.BoardOf(m, game.AllTime.Of(last), scope), last, r.c.Store.Restore.RestoreRolledUp); err != nil {
		return err
	}
	for _, p := range periods {
		aged := p.First().Before(oldest)
		b := game.BoardOf(m, p, scope)
		if err := r.rolledUp(ctx, b, last, aged); err != nil {
			return err
		}
		if !r.closed(p) && (!aged || p.Kind() != game.Week) {
			continue // made from its days, and what is rolled up, when somebody looks
		}
		if err := r.make(ctx, b, p.Last(), r.c.Store.Rollup.Replace); err != nil {
			return err
		}
		r.report.Periods++
	}
	return nil
}

// rolledUp makes the rolled-up days of a month or a season, up to one day. If all of its days
// still live, it has none: its days count as not rolled up from now on, even if they had been.
func (r lasting) rolledUp(ctx context.Context, b game.Board, last game.Date, aged bool) error {
	switch {
	case b.Period.Kind() == game.Week:
		return nil
	case aged:
		return r.make(ctx, b, last, r.c.Store.Restore.RestoreRolledUp)
	case r.options.DryRun:
		return nil
	default:
		return r.c.Store.Restore.RestoreRolledUp(ctx, b, nil)
	}
}

// rolling puts back the keys of an expired day that boards of rolling days still need. The day
// is rolled up, so nobody writes to it.
func (r lasting) rolling(ctx context.Context, m *game.Mode, d game.Date, scopes []game.Scope) error {
	if !m.Rolling || !game.KeyLives(r.game, m, d, r.c.Store.DB.Now()) {
		return nil
	}
	for _, scope := range scopes {
		if err := r.make(ctx, game.BoardOf(m, game.Day.Of(d), scope), d, r.c.Store.Rollup.Replace); err != nil {
			return err
		}
	}
	return nil
}

// teams makes the boards of teams that are not made from what is in Redis: those of periods
// that are over, and of all time, which has groups that have not played for long.
func (r lasting) teams(ctx context.Context, m *game.Mode, periods []game.Period) error {
	today := r.today()
	for _, p := range append(periods, game.AllTime.Of(today)) {
		if p.Kind() != game.AllTime && !r.closed(p) {
			continue
		}
		if err := r.make(ctx, game.BoardOf(m, p, game.TeamsScope()), today.AddDays(1), r.c.Store.Rollup.Replace); err != nil {
			return err
		}
	}
	return nil
}

// make writes what the days of a board up to last add up to.
func (r lasting) make(ctx context.Context, b game.Board, last game.Date, put func(context.Context, game.Board, map[string]float64) error) error {
	all, err := totals(ctx, r.c.Archive, b, last)
	if err != nil || r.options.DryRun {
		return err
	}
	r.report.RolledUp++
	return put(ctx, b, all)
}
