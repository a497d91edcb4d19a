package lifecycle

import (
	"context"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// RollUpDays rolls up every day board in the last quarter of its life into its month, its
// season and all time, and the XP of every such day into XP. It may run any number of times,
// late, or twice at once, and may be cut off anywhere: the next run continues there. It rolls up
// XP only of days that are closed, so close days first.
//
// Cost: 1 billed command, and 1 for each mode with groups that has something to roll up and
// nothing was closed of; for each day board some 10, two more if it is of all players, and from
// 7,000 players on 10 for every 7,000; if the day is in a season 3 more for each.
func (ds *Days) RollUpDays(ctx context.Context, view derive.Survey) (derive.RolledUp, error) {
	report := derive.RolledUp{Boards: []string{}, Expired: []string{}}
	if err := ds.Rollup.RollUpModes(ctx, view, &report); err != nil {
		return report, err
	}
	return report, redis.Wrap("roll up the days of XP", ds.RollUpXP(ctx, view, &report))
}

// RollUpXP rolls up the XP of days whose boards are about to leave Redis.
func (ds *Days) RollUpXP(ctx context.Context, view derive.Survey, report *derive.RolledUp) error {
	var days derive.Index
	if err := ds.DB.Ask(ctx, upstash.Cmd("HGETALL", game.DaysKey(game.XPMode)), derive.DaysInto(&days)); err != nil {
		return err
	}
	if err := ds.settleDue(ctx, view, days); err != nil {
		return err
	}
	return ds.XP.RollUp(ctx, &days, report, ds.gaveNone(view))
}

// settleDue takes days into XP again that are about to be rolled up and that were written to
// after they closed, since XP takes in nothing of a day that is rolled up. Everything else is
// left to the next closing of these days.
func (ds *Days) settleDue(ctx context.Context, view derive.Survey, days derive.Index) error {
	due := func(d game.Date) bool {
		return days.Has(d) && !days.RolledUp[d] && !ds.Rollup.Calendar.Writable(d) && ds.DB.Alive(d)
	}
	if !slices.ContainsFunc(days.Dates, due) {
		return nil
	}
	// No board of these days can have begun since the survey: only the marks are read again.
	if err := ds.DB.Ask(ctx, upstash.Cmd("HGETALL", game.ClosedKey), view.ClosedInto()); err != nil {
		return err
	}
	unclosed, err := ds.Rollup.Calendar.Unclosed(ctx, view)
	if err != nil {
		return err
	}
	for _, day := range unclosed {
		unsettled := func(m *game.Mode) bool {
			return !strings.HasPrefix(view.Closed[game.ClosedDay(m.Name, day.Date)], derive.SettledMark)
		}
		if !due(day.Date) || !slices.ContainsFunc(day.Modes, unsettled) {
			continue
		}
		if _, err := ds.CloseDay(ctx, day, nil); err != nil {
			return err
		}
	}
	return nil
}

// gaveNone returns whether a day has given no XP, since each mode that gives any has either not
// been played or has lost its last entry to a removal.
func (ds *Days) gaveNone(view derive.Survey) func(game.Date) bool {
	return func(d game.Date) bool {
		for i, m := range ds.DB.Game.Modes {
			if m.GivesXP() && view.Globals[i].Has(d) && !view.Globals[i].Empty[d] {
				return false
			}
		}
		return true
	}
}
