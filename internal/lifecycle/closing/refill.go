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

// Refilled is a closed day of a mode that was archived again.
type Refilled struct {
	Mode    string `json:"mode"`
	Date    string `json:"date"`
	Results int    `json:"results"`
}

// RefillOptions say which closed days to archive again.
type RefillOptions struct {
	Dates []game.Date // nil: those that the archive does not have as they closed
	// Step is called after each day with the number of days done, and of all.
	Step func(done, all int)
}

// Refill archives closed days that Redis still has and the archive lacks, because it was lost
// or did not answer, and gives the badges that follow from them. Days for which the deadline leaves no time are left to the next run. Days
// whose boards have expired are lost.
//
// Cost: 1 billed command, 1 for each mode and each mode with groups, and 2; for
// each day what reading it costs, and 1.
func (c *Closing) Refill(ctx context.Context, o RefillOptions) ([]Refilled, error) {
	if c.Archive == nil {
		return nil, ErrNoArchive
	}
	var done []Refilled
	err := alone(ctx, c.Store.DB, "daily", func(ctx context.Context) error {
		view, err := c.Store.Rollup.Calendar.Survey(ctx)
		if err != nil {
			return err
		}
		var days []lifecycle.ModeDay
		done, days, err = refilling{c}.run(ctx, view, o)
		if len(days) > 0 {
			err = errors.Join(err, c.closePeriods(ctx, lifecycle.Night{Back: days}))
		}
		return err
	})
	return done, err
}

// refilling archives closed days again.
type refilling struct{ c *Closing }

func (r refilling) run(ctx context.Context, view derive.Survey, o RefillOptions) (done []Refilled, days []lifecycle.ModeDay, err error) {
	done = []Refilled{}
	due := closedDays(r.c.Store.Rollup.Calendar, view, o.Dates)
	if o.Dates == nil {
		due, err = r.c.clock().without(ctx, r.c.Archive, due, func(d archive.ArchivedDay) bool { return d.AsClosed })
	}
	if err != nil || len(due) == 0 {
		return done, nil, err
	}
	into, err := r.c.sink(ctx)
	if err != nil {
		return done, nil, err
	}
	var refused error
	for i, day := range due {
		if lifecycle.OutOfTime(ctx) {
			break
		}
		n, err := r.refillAgain(ctx, into, day)
		switch {
		case errors.Is(err, archive.ErrOtherSource), errors.Is(err, archive.ErrSuperseded), errors.As(err, new(*ShortError)):
			refused = errors.Join(refused, fmt.Errorf("archive %s of %s again: %w", day.Date, day.Mode.Name, err))
		case err != nil:
			return done, days, fmt.Errorf("archive %s of %s again: %w", day.Date, day.Mode.Name, err)
		default:
			done, days = append(done, Refilled{day.Mode.Name, day.Date.String(), n}), append(days, lifecycle.ModeDay{Mode: day.Mode, Date: day.Date})
		}
		if o.Step != nil {
			o.Step(i+1, len(due))
		}
	}
	return done, days, refused
}

// closedDays returns the closed days in Redis, or those of them on certain dates, oldest
// first, since these expire first.
func closedDays(calendar *derive.Calendar, view derive.Survey, dates []game.Date) []derive.DayState {
	days := slices.DeleteFunc(calendar.DayStates(view), func(d derive.DayState) bool {
		return !d.Closed || !d.Alive || dates != nil && !slices.Contains(dates, d.Date)
	})
	slices.SortStableFunc(days, func(a, b derive.DayState) int { return a.Date.Compare(b.Date) })
	return days
}

// without removes the days that the archive has, according to has.
func (k clock) without(ctx context.Context, kept *archive.Archive, days []derive.DayState, has func(archive.ArchivedDay) bool) ([]derive.DayState, error) {
	had := map[*game.Mode][]game.Date{}
	for _, d := range days {
		if _, asked := had[d.Mode]; asked {
			continue
		}
		archived, err := kept.Days.Between(ctx, d.Mode.Name, k.oldest(), k.today())
		if err != nil {
			return nil, err
		}
		had[d.Mode] = []game.Date{}
		for _, a := range archived {
			if has(a) {
				had[d.Mode] = append(had[d.Mode], a.Date)
			}
		}
	}
	return slices.DeleteFunc(days, func(d derive.DayState) bool { return slices.Contains(had[d.Mode], d.Date) }), nil
}

// refillAgain archives a closed day in its present state.
func (r refilling) refillAgain(ctx context.Context, into sink, day derive.DayState) (results int, err error) {
	w, err := into.BeginDay(ctx, day.Mode.Name, day.Date)
	if err != nil {
		return 0, err
	}
	err = r.c.Store.Restore.ReadDay(ctx, day.Mode, day.Date, func(page []game.Result) error {
		results += len(page)
		return w.Put(ctx, page)
	})
	if err != nil || results == 0 {
		return 0, err // the day has expired meanwhile
	}
	return results, w.Finish(ctx)
}
