package rollup

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
)

// PeriodReport reports what RefreshPeriod did.
type PeriodReport struct {
	Refreshed []game.Board
	Partial   []game.Board // left as they were, since some of their days have expired
}

// RefreshPeriod derives every mode's and scope's board of a week, month or season
// once more, whatever locks there are, so that the boards of a period that has just
// closed are complete whether or not anybody looks. Running it again, late or
// twice at once gives the same boards; it never replaces a board whose days
// have begun to expire.
//
// Cost: 1 billed command for each mode and 1 more for each with scopes; for
// each board that of a refresh; for a mode with boards of groups 14, and 2 for each
// group.
func (ru *Rollup) RefreshPeriod(ctx context.Context, p game.Period) (PeriodReport, error) {
	var report PeriodReport
	for _, m := range ru.db.Game.Modes {
		global, scoped, err := ru.Calendar.Indexes(ctx, m)
		if err != nil {
			return report, err
		}
		scoped[game.Scope{}] = global
		for _, scope := range SortedScopes(scoped) {
			b := game.BoardOf(m, p, scope)
			if ru.Frozen(b) || !scoped[scope].within(p) {
				continue
			}
			whole, err := ofDays{ru}.derive(ctx, b, *scoped[scope], nil)
			if err != nil {
				return report, rdb.Wrap("refresh "+b.Key, err)
			}
			if whole {
				report.Refreshed = append(report.Refreshed, b)
			} else {
				report.Partial = append(report.Partial, b)
			}
		}
		if !m.HasScope(game.Teams) {
			continue
		}
		// All time once more, while groups that have not played for long are on the index.
		for _, of := range []game.Period{p, game.AllTime.Of(p.First())} {
			b := game.BoardOf(m, of, game.TeamsScope())
			if ru.Frozen(b) {
				continue
			}
			if err := (teams{ru}).derive(ctx, b, 0, true); err != nil {
				return report, rdb.Wrap("refresh "+b.Key, err)
			}
			if of == p {
				report.Refreshed = append(report.Refreshed, b)
			}
		}
	}
	return report, nil
}
