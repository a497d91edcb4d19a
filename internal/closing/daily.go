package closing

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/daily"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rollup"
)

// Daily is what a run of the daily job did.
type Daily struct {
	Closed     []daily.ClosedDay `json:"closed"`
	RolledUp   []string          `json:"folded"`             // boards of days, by key
	Expired    []string          `json:"gone"`               // boards that left Redis before they were rolled up
	Unfinished []string          `json:"unfinished"`         // days left to the next run, for lack of time
	Refilled   []Refilled        `json:"refilled"`           // closed days that the archive lacked
	Periods    []Period          `json:"periods"`            // months, seasons, and weeks with a day that closed late
	Returned   []Returned        `json:"returned,omitempty"` // boards of days that Redis had lost
	Busy       bool              `json:"busy"`               // another run was at work all the time: nothing was done
	Spent
}

// monthsAhead is how many days before its first day a month's partition is created.
const monthsAhead = 35

// Daily closes every day whose grace has passed, archives it, counts streaks and XP, derives
// the boards that its days belong to, and rolls up days that are about to leave Redis. If
// Postgres does not answer, everything except archiving happens; Daily returns the error, and
// the next run archives.
func (c *Closing) Daily(ctx context.Context) (Daily, error) {
	report := Daily{Closed: []daily.ClosedDay{}, RolledUp: []string{}, Expired: []string{}, Unfinished: []string{}, Refilled: []Refilled{}, Periods: []Period{}}
	var err error
	report.Spent, report.Busy, err = c.scheduled(ctx, "daily", func(ctx context.Context) error { return c.daily(ctx, &report) })
	return report, err
}

func (c *Closing) daily(ctx context.Context, report *Daily) error {
	view, err := c.Store.Rollup.Calendar.SurveyAll(ctx)
	if err != nil {
		return err
	}
	if c.Repairs && c.Archive != nil {
		var err error
		if report.Returned, err = (returning{Closing: c}).closed(ctx, view); err != nil {
			return err
		}
		if len(report.Returned) > 0 { // they must be closed again
			if view, err = c.Store.Rollup.Calendar.SurveyAll(ctx); err != nil {
				return err
			}
		}
	}
	days, err := c.Store.Rollup.Calendar.Unclosed(ctx, view)
	if err != nil {
		return err
	}
	var failed error
	if c.Archive != nil {
		today := c.clock().today()
		failed = errors.Join(c.Archive.Days.EnsurePartitions(ctx, today, today.AddDays(monthsAhead)), c.tendAudit(ctx, today))
	}
	var into daily.Archive // nil without an archive
	if c.Archive != nil && len(days) > 0 {
		if into, err = c.sink(ctx); err != nil {
			return err
		}
	}
	var began []rollup.Unclosed
	refused := map[string]bool{} // days that are not archived
	for _, day := range days {
		if outOfTime(ctx) {
			report.Unfinished = append(report.Unfinished, day.Date.String())
			continue
		}
		did, err := c.Store.Days.CloseDay(ctx, day, into)
		switch {
		case errors.Is(err, game.ErrDayExpired):
			// The error is reported by the rolling up, with the board's name.
		case errors.Is(err, daily.ErrNotArchived):
			failed = errors.Join(failed, err)
			refused[did.Date] = true
		case err != nil:
			return err
		}
		began = append(began, day)
		report.Closed = append(report.Closed, did)
	}
	if err := c.Store.Days.RefreshClosed(ctx, report.Closed); err != nil {
		return err
	}
	if err := (wallets{c}).close(ctx, report.Closed, refused); err != nil {
		return errors.Join(failed, err)
	}
	if c.Archive != nil && failed == nil {
		report.Refilled, failed = refilling{c}.run(ctx, view, RefillOptions{})
	}
	periods, err := c.complete(ctx, began)
	if err != nil {
		failed = errors.Join(failed, err)
	}
	for _, p := range periods {
		did, err := c.Period(ctx, p)
		if err != nil {
			return errors.Join(failed, err)
		}
		report.Periods = append(report.Periods, did)
	}
	if err := (badges{c}).close(ctx, report.Closed, refused); err != nil {
		return errors.Join(failed, err)
	}
	if err := c.Store.Days.FinishDays(ctx, report.Closed); err != nil {
		return errors.Join(failed, err)
	}
	rolledUp, err := c.Store.Days.RollUpDays(ctx, view)
	if err != nil {
		return errors.Join(failed, err)
	}
	report.RolledUp, report.Expired = rolledUp.Boards, rolledUp.Expired
	if c.Archive != nil && failed == nil {
		failed = tops{c}.renew(ctx)
	}
	return failed
}

// weeklyDue is how long after a week's end the weekly job has certainly run, if no archive
// tells whether it has.
const weeklyDue = 24 * time.Hour

// complete lists the periods to complete after days have closed: months and seasons that are
// over with them; seasons that have ended within a day, even if nobody played on the last day,
// since their boards are made differently from then on; and weeks that were complete before
// one of their days closed again. Other weeks are left to the weekly job.
func (c *Closing) complete(ctx context.Context, days []rollup.Unclosed) ([]game.Period, error) {
	var periods []game.Period
	for _, closed := range days {
		for _, p := range c.Game.PeriodsOf(closed.Date) {
			if slices.Contains(periods, p) || !c.Game.Closed(p, c.Now()) {
				continue
			}
			due := p.Kind() != game.Week || c.Archive == nil && c.Game.Closed(p, c.Now().Add(-weeklyDue))
			if !due && c.Archive != nil {
				for _, m := range closed.Modes {
					taken, err := c.Archive.Snapshots.Of(ctx, game.BoardOf(m, p, game.Scope{}))
					if err != nil {
						return periods, err
					}
					due = due || taken != nil
				}
			}
			if due {
				periods = append(periods, p)
			}
		}
	}
	for _, p := range c.Game.AllSeasons() {
		if c.Game.Closed(p, c.Now()) && !c.Game.Closed(p, c.Now().Add(-day)) && !slices.Contains(periods, p) {
			periods = append(periods, p)
		}
	}
	return periods, nil
}
