package board

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
)

// PeriodReport tells what RefreshPeriod did.
type PeriodReport struct {
	Period    string   `json:"period"`
	Refreshed []string `json:"refreshed"` // boards, by key
}

// RefreshPeriod derives every mode's and scope's board of a week or month once
// more, whatever locks there are, so that the boards of a period that has just
// closed are complete whether or not anybody looks. Running it again, late or
// twice at once gives the same boards; it never replaces a board whose days
// have begun to expire.
func (s *Store) RefreshPeriod(ctx context.Context, p game.Period) (PeriodReport, error) {
	report := PeriodReport{Period: p.Key(), Refreshed: []string{}}
	for _, m := range s.game.Modes {
		scopes, err := s.scopes(ctx, m)
		if err != nil {
			return report, err
		}
		for _, scope := range scopes {
			b := s.Board(m, p, scope)
			if s.frozen(b) {
				continue
			}
			days, err := s.days(ctx, m, scope)
			if err != nil {
				return report, err
			}
			if err := s.derive(ctx, b, days); err != nil {
				return report, wrap("refresh "+b.Key, err)
			}
			report.Refreshed = append(report.Refreshed, b.Key)
		}
	}
	return report, nil
}
