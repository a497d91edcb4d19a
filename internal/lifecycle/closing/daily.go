package closing

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// Daily is what a run of the daily job did.
type Daily struct {
	Closed     []lifecycle.ClosedDay `json:"closed"`
	RolledUp   []string              `json:"folded"`             // boards of days, by key
	Expired    []string              `json:"gone"`               // boards that left Redis before they were rolled up
	Unfinished []string              `json:"unfinished"`         // days left to the next run, for lack of time
	Refilled   []Refilled            `json:"refilled"`           // closed days that the archive lacked
	Periods    []Period              `json:"periods"`            // months, seasons, and weeks with a day that closed late
	Returned   []Returned            `json:"returned,omitempty"` // boards of days that Redis had lost
	Busy       bool                  `json:"busy"`               // another run was at work all the time: nothing was done
	Spent
}

// monthsAhead is how many days before its first day a month's partition is created.
const monthsAhead = 35

// Daily closes every day whose grace has passed, archives it, counts streaks and XP, derives
// the boards that its days belong to, and rolls up days that are about to leave Redis. If
// Postgres does not answer, everything except archiving happens; Daily returns the error, and
// the next run archives.
func (c *Closing) Daily(ctx context.Context) (Daily, error) {
	report := Daily{Closed: []lifecycle.ClosedDay{}, RolledUp: []string{}, Expired: []string{}, Unfinished: []string{}, Refilled: []Refilled{}, Periods: []Period{}}
	var err error
	report.Spent, report.Busy, err = c.scheduled(ctx, "daily", func(ctx context.Context) error { return c.daily(ctx, &report) })
	return report, err
}

// night is one run of the daily job.
type night struct {
	c       *Closing
	report  *Daily
	view    derive.Survey
	began   []derive.Unclosed   // days whose closing has begun
	refused map[string]bool     // of these, by date, those that the archive does not have
	back    []lifecycle.ModeDay // closed days that the archive got back
	failed  error               // what does not keep the rest from happening
}

func (c *Closing) daily(ctx context.Context, report *Daily) (err error) {
	n := &night{c: c, report: report, refused: map[string]bool{}}
	if n.view, err = c.Store.Rollup.Calendar.Survey(ctx); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{n.bringBack, n.tendArchive, n.closeDays, n.featuresOfDays, n.refill, n.closePeriods, n.featuresOfPeriods, n.rollUp, n.renewTops} {
		if err := step(ctx); err != nil {
			return errors.Join(n.failed, err)
		}
	}
	return n.failed
}

// bringBack puts back boards of closed days that Redis has lost, and of days that expired before
// they were rolled up. These days must be closed again.
func (n *night) bringBack(ctx context.Context) (err error) {
	if !n.c.Repairs || n.c.Archive == nil {
		return nil
	}
	back := &returning{Closing: n.c}
	for _, bring := range []func(context.Context, derive.Survey) (did []Returned, err error){back.expired, back.closed} {
		did, err := bring(ctx, n.view)
		if n.report.Returned = append(n.report.Returned, did...); err != nil {
			return err
		}
	}
	if len(n.report.Returned) > 0 {
		n.view, err = n.c.Store.Rollup.Calendar.Survey(ctx)
	}
	return err
}

// tendArchive makes room in the archive for days to come, and drops what it keeps for a while
// only.
func (n *night) tendArchive(ctx context.Context) error {
	if n.c.Archive != nil {
		today := n.c.clock().today()
		ahead := today.AddDays(monthsAhead)
		n.failed = errors.Join(n.c.Archive.Days.EnsurePartitions(ctx, today, ahead), lifecycle.All(n.c.Features, func(f lifecycle.Maintainer) error {
			return f.Maintain(ctx, today, ahead)
		}))
	}
	return nil
}

// closeDays closes the days that are due, oldest first, while there is time, and then makes
// the boards that they belong to.
func (n *night) closeDays(ctx context.Context) error {
	days, err := n.c.Store.Rollup.Calendar.Unclosed(ctx, n.view)
	if err != nil {
		return err
	}
	var into lifecycle.DayArchive // nil without an archive
	moved := func(context.Context) error { return nil }
	if n.c.Archive != nil && len(days) > 0 {
		sink, err := n.c.sink(ctx)
		if err != nil {
			return err
		}
		into, moved = sink, sink.giveWritten
	}
	for _, day := range days {
		if lifecycle.OutOfTime(ctx) {
			n.report.Unfinished = append(n.report.Unfinished, day.Date.String())
			continue
		}
		did, err := n.c.Store.Days.CloseDay(ctx, day, into)
		switch {
		case errors.Is(err, game.ErrDayExpired):
			// The error is reported by the rolling up, with the board's name.
		case errors.Is(err, lifecycle.ErrNotArchived):
			n.failed = errors.Join(n.failed, err)
			n.refused[did.Date] = true
		case err != nil:
			return err
		}
		n.began = append(n.began, day)
		n.report.Closed = append(n.report.Closed, did)
	}
	n.failed = errors.Join(n.failed, moved(ctx))
	return n.c.Store.Days.RefreshClosed(ctx, n.report.Closed)
}

// closed is what features are given.
func (n *night) closed() lifecycle.Night {
	return lifecycle.Night{Closed: n.report.Closed, Refused: n.refused, Back: n.back}
}

func (n *night) featuresOfDays(ctx context.Context) error {
	return lifecycle.Each(n.c.Features, func(f lifecycle.DayCloser) error { return f.CloseDays(ctx, n.closed()) })
}

// refill archives closed days that the archive lacks.
func (n *night) refill(ctx context.Context) error {
	if n.c.Archive != nil && n.failed == nil {
		n.report.Refilled, n.back, n.failed = refilling{n.c}.run(ctx, n.view, RefillOptions{})
	}
	return nil
}

func (n *night) closePeriods(ctx context.Context) error {
	periods, err := n.c.complete(ctx, n.began)
	n.failed = errors.Join(n.failed, err)
	if periods, err = withoutImported(ctx, n.c.Archive, periods); err != nil {
		return err
	}
	for _, p := range periods {
		did, err := n.c.Period(ctx, p)
		if err != nil {
			return err
		}
		n.report.Periods = append(n.report.Periods, did)
	}
	return nil
}

func (n *night) featuresOfPeriods(ctx context.Context) error {
	return n.c.closePeriods(ctx, n.closed())
}

// rollUp marks the days as taken in, and rolls up days that are about to leave Redis.
func (n *night) rollUp(ctx context.Context) error {
	if err := n.c.Store.Days.FinishDays(ctx, n.report.Closed); err != nil {
		return err
	}
	rolledUp, err := n.c.Store.Days.RollUpDays(ctx, n.view)
	if err == nil {
		n.report.RolledUp, n.report.Expired = rolledUp.Boards, rolledUp.Expired
	}
	return err
}

func (n *night) renewTops(ctx context.Context) error {
	if n.c.Archive == nil || n.failed != nil {
		return nil
	}
	return tops{n.c}.renew(ctx)
}

// weeklyDue is how long after a week's end the weekly job has certainly run, if no archive
// shows whether it has.
const weeklyDue = 24 * time.Hour

// withoutImported leaves out periods with days of an import that has not finished. They lack days
// that it brings, and badges would stay for places that nobody has in the end. The import closes
// these periods itself.
func withoutImported(ctx context.Context, kept *archive.Archive, periods []game.Period) ([]game.Period, error) {
	if kept == nil || len(periods) == 0 {
		return periods, nil
	}
	days, err := kept.Days.Importing(ctx)
	return slices.DeleteFunc(periods, func(p game.Period) bool { return slices.ContainsFunc(days, p.Contains) }), err
}

// complete lists the periods to complete after days have closed: months and seasons that are
// over with them; seasons that have ended within a day, even if nobody played on the last day,
// since their boards are made differently from then on; and weeks that were complete before
// one of their days closed again. Other weeks are left to the weekly job.
func (c *Closing) complete(ctx context.Context, days []derive.Unclosed) ([]game.Period, error) {
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
