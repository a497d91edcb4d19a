package closing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// Closing does the scheduled work of one game.
type Closing struct {
	Game  *game.Game
	Store *board.Store
	// Archive may be nil: boards then close all the same, and nothing is kept
	// beyond their lives.
	Archive *archive.Archive
	Now     func() time.Time
}

// Spent is what a run took.
type Spent struct {
	Commands     int64 `json:"commands"` // billed
	RoundTrips   int64 `json:"round_trips"`
	Milliseconds int64 `json:"milliseconds"`
}

// Daily tells what a run of the daily job did.
type Daily struct {
	Closed     []board.ClosedDay `json:"closed"`
	Folded     []string          `json:"folded"`     // boards of days, by key
	Gone       []string          `json:"gone"`       // boards that left Redis before they were folded
	Unfinished []string          `json:"unfinished"` // days left to the next run, for want of time
	Periods    []Period          `json:"periods"`    // months, and weeks that a day closed late in
	Busy       bool              `json:"busy"`       // another run was at work all the time: nothing was done
	Spent
}

// reserve is the time that a run keeps for what follows the last day it closes.
const reserve = 20 * time.Second

// monthsAhead is how long before its first day a month's partition is there.
const monthsAhead = 35

// Daily closes every day whose grace has passed, archives it, counts streaks
// and XP, derives the boards its days belong to, and folds days that are about
// to leave Redis. Where Postgres does not answer, all of it happens but the
// archiving; the error tells, and the next run archives.
func (c *Closing) Daily(ctx context.Context) (Daily, error) {
	report := Daily{Closed: []board.ClosedDay{}, Folded: []string{}, Gone: []string{}, Unfinished: []string{}, Periods: []Period{}}
	spent, err := c.metered(ctx, func(ctx context.Context) error {
		ran, err := c.Store.Exclusively(ctx, "daily", func(ctx context.Context) error { return c.daily(ctx, &report) })
		report.Busy = !ran && err == nil
		return err
	})
	report.Spent = spent
	return report, err
}

func (c *Closing) metered(ctx context.Context, run func(context.Context) error) (Spent, error) {
	var meter upstash.Meter
	began := time.Now()
	err := run(upstash.WithMeter(ctx, &meter))
	usage := meter.Usage()
	return Spent{usage.Commands, usage.RoundTrips, time.Since(began).Milliseconds()}, err
}

func (c *Closing) daily(ctx context.Context, report *Daily) error {
	view, err := c.Store.SurveyAll(ctx)
	if err != nil {
		return err
	}
	days, err := c.Store.Unclosed(ctx, view)
	if err != nil {
		return err
	}
	var failed error
	if c.Archive != nil {
		today := c.Game.Today(c.Now())
		failed = c.Archive.EnsurePartitions(ctx, today, today.AddDays(monthsAhead))
	}
	var began []board.Unclosed
	for _, day := range days {
		if c.outOfTime(ctx) {
			report.Unfinished = append(report.Unfinished, day.Date.String())
			continue
		}
		did, err := c.Store.CloseDay(ctx, day, c.sink())
		switch {
		case errors.Is(err, board.ErrDayGone):
			// Said by the fold, with the board's name.
		case errors.Is(err, archive.ErrUnavailable), errors.Is(err, archive.ErrSuperseded):
			failed = errors.Join(failed, err)
		case err != nil:
			return err
		}
		began = append(began, day)
		report.Closed = append(report.Closed, did)
	}
	if err := c.Store.RefreshClosed(ctx, report.Closed); err != nil {
		return err
	}
	periods, err := c.complete(ctx, began)
	if err != nil {
		failed = errors.Join(failed, err)
	}
	for _, p := range periods {
		did, err := c.period(ctx, p)
		if err != nil {
			return errors.Join(failed, err)
		}
		report.Periods = append(report.Periods, did)
	}
	if err := c.Store.FinishDays(ctx, report.Closed); err != nil {
		return errors.Join(failed, err)
	}
	folded, err := c.Store.FoldDays(ctx, view)
	if err != nil {
		return errors.Join(failed, err)
	}
	report.Folded, report.Gone = folded.Folded, folded.Gone
	if c.Archive != nil && failed == nil {
		failed = c.renew(ctx)
	}
	return failed
}

// outOfTime tells whether the run should stop before it begins another day.
func (c *Closing) outOfTime(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) < reserve
}

// complete lists the periods to complete after days have closed: months that
// are over with them, and weeks that had been completed before one of their
// days closed again. Weeks are else left to the weekly job.
func (c *Closing) complete(ctx context.Context, days []board.Unclosed) ([]game.Period, error) {
	var periods []game.Period
	for _, day := range days {
		for _, kind := range []game.PeriodKind{game.Week, game.Month} {
			p := kind.Of(day.Date)
			if slices.Contains(periods, p) || !c.Game.Closed(p, c.Now()) {
				continue
			}
			due := kind == game.Month
			if !due && c.Archive != nil {
				for _, m := range day.Modes {
					taken, err := c.Archive.Snapshot(ctx, archive.Board{Mode: m, Period: p})
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
	return periods, nil
}

// sink is the archive as closings write to it; nil when there is none.
func (c *Closing) sink() board.Archive {
	if c.Archive == nil {
		return nil
	}
	return sink{c.Archive, c.Now}
}

type sink struct {
	archive *archive.Archive
	now     func() time.Time
}

func (s sink) BeginDay(ctx context.Context, mode string, d game.Date) (board.DayWriter, error) {
	w, err := s.archive.BeginDay(ctx, mode, d)
	if err != nil {
		return nil, err
	}
	return writer{w, s}, nil
}

type writer struct {
	day  *archive.DayWrite
	sink sink
}

func (w writer) Put(ctx context.Context, results []board.Result) error {
	for some := range slices.Chunk(results, archive.MostRows) {
		if err := w.put(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

func (w writer) put(ctx context.Context, results []board.Result) error {
	rows := make([]archive.Result, len(results))
	var profiles []archive.Profile
	now := w.sink.now()
	for i, r := range results {
		rows[i] = archive.Result{Player: r.Player, Stored: r.Stored, Details: r.Details}
		for _, scoped := range r.Scopes {
			rows[i].Scopes = append(rows[i].Scopes, archive.ScopedResult(scoped))
		}
		if p := r.Profile; p != (board.Profile{}) {
			profiles = append(profiles, archive.Profile{Player: r.Player, Name: p.Name, Picture: p.Picture, Country: p.Country, Hidden: p.Hidden, UpdatedAt: now})
		}
	}
	if err := w.sink.archive.PutProfiles(ctx, profiles); err != nil {
		return err
	}
	return w.day.Put(ctx, rows)
}

func (w writer) Finish(ctx context.Context) error {
	_, err := w.day.Finish(ctx, true, w.sink.now())
	if err != nil {
		return fmt.Errorf("finish the day: %w", err)
	}
	return nil
}
