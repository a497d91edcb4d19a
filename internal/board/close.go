package board

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
)

// PeriodReport tells what RefreshPeriod did.
type PeriodReport struct {
	Refreshed []Board
	Partial   []Board // left as they were, some of their days being gone
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
func (s *Store) RefreshPeriod(ctx context.Context, p game.Period) (PeriodReport, error) {
	var report PeriodReport
	for _, m := range s.game.Modes {
		global, scoped, err := s.allDays(ctx, m)
		if err != nil {
			return report, err
		}
		scoped[game.Scope{}] = global
		for _, scope := range sortedScopes(scoped) {
			b := BoardOf(m, p, scope)
			if s.frozen(b) || !scoped[scope].within(p) {
				continue
			}
			whole, err := s.derive(ctx, b, *scoped[scope])
			if err != nil {
				return report, wrap("refresh "+b.Key, err)
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
			b := BoardOf(m, of, game.TeamsScope())
			if s.frozen(b) {
				continue
			}
			if err := s.deriveTeams(ctx, b, 0, true); err != nil {
				return report, wrap("refresh "+b.Key, err)
			}
			if of == p {
				report.Refreshed = append(report.Refreshed, b)
			}
		}
	}
	return report, nil
}
