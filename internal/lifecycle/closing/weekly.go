package closing

import (
	"context"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// Weekly is what a run of the weekly job did.
type Weekly struct {
	Periods    []Period `json:"periods"`
	Unfinished []string `json:"unfinished"` // weeks and months left to the next run
	Busy       bool     `json:"busy"`       // another run was at work all the time: nothing was done
	Spent
}

// mostPeriods is how many weeks and months one run closes: a quarter of a year and more, each
// taking some seconds if it is read from the archive.
const mostPeriods = 20

// Weekly closes the week and the month that ended last before a time, and earlier ones and
// seasons that no run has closed, oldest first, since each needs the ranks of the one before.
// It leaves what there is no time for to the next run, and reports it, and the periods of an
// import that is at work or was cut off to that import.
func (c *Closing) Weekly(ctx context.Context, at time.Time) (Weekly, error) {
	report := Weekly{Periods: []Period{}, Unfinished: []string{}}
	var err error
	report.Spent, report.Busy, err = c.scheduled(ctx, "weekly", func(ctx context.Context) error { return closingPeriods{c}.run(ctx, at, &report) })
	return report, err
}

// closingPeriods closes the periods that are due.
type closingPeriods struct{ c *Closing }

func (w closingPeriods) run(ctx context.Context, at time.Time, report *Weekly) error {
	due, err := w.listDue(ctx, at)
	if err == nil {
		due, err = withoutImported(ctx, w.c.Archive, due)
	}
	if err != nil {
		return err
	}
	for i, p := range due {
		if i > 0 && lifecycle.OutOfTime(ctx) || i == mostPeriods {
			for _, left := range due[i:] {
				report.Unfinished = append(report.Unfinished, left.Key())
			}
			break
		}
		did, err := w.c.Period(ctx, p)
		if err != nil {
			return err
		}
		report.Periods = append(report.Periods, did)
	}
	return w.c.Store.Days.RefreshXP(ctx)
}

// listDue returns the week and the month that ended last, and earlier periods that are open, in
// the order of their ends.
func (w closingPeriods) listDue(ctx context.Context, at time.Time) ([]game.Period, error) {
	week, _ := w.c.Game.LastClosed(game.Week, at)
	month, _ := w.c.Game.LastClosed(game.Month, at)
	last := []game.Period{week, month}
	if w.c.Archive == nil {
		return last, nil
	}
	names := make([]string, len(w.c.Game.Modes))
	for i, m := range w.c.Game.Modes {
		names[i] = m.Name
	}
	seasons := slices.DeleteFunc(w.c.Game.AllSeasons(), func(p game.Period) bool { return !w.c.Game.Closed(p, at) })
	newest := week.Last()
	for _, p := range append(seasons, month) {
		if newest.Before(p.Last()) {
			newest = p.Last()
		}
	}
	due, err := w.c.Archive.Days.OpenPeriods(ctx, names, seasons, newest)
	if err != nil {
		return nil, err
	}
	for _, p := range last {
		if !slices.Contains(due, p) {
			due = append(due, p)
		}
	}
	slices.SortStableFunc(due, func(a, b game.Period) int { return a.Last().Compare(b.Last()) })
	return due, nil
}
