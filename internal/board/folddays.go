package board

import (
	"context"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// FoldDays folds every day board in the last quarter of its life into its
// month, its season and all time, and the XP of every such day into XP. It may run
// any number of times, late, twice at once or be cut off anywhere, and goes on
// where it stopped. XP is folded as far as it has been taken in, so close days
// first.
//
// Cost: 1 billed command, and 1 for each mode with groups that has something to
// fold and nothing was closed of; for each day board some 9, and from 7,000 players on 10 for
// every 7,000; where the day is in a season 3 more for each.
func (s *Store) FoldDays(ctx context.Context, view Survey) (FoldReport, error) {
	report := FoldReport{Folded: []string{}, Gone: []string{}}
	if err := s.foldModes(ctx, view, &report); err != nil {
		return report, err
	}
	return report, wrap("fold the days of XP", s.foldXP(ctx, view, &report))
}

// foldXP takes the XP of days whose boards leave Redis into what outlives them.
func (s *Store) foldXP(ctx context.Context, view Survey, report *FoldReport) error {
	var days dayIndex
	var p pipeline
	p.add(upstash.Cmd("HGETALL", game.DaysKey(game.XPMode)), daysInto(&days))
	if _, err := p.run(ctx, s.redis); err != nil {
		return err
	}
	if err := s.settleDue(ctx, view, days); err != nil {
		return err
	}
	return s.foldXPDays(ctx, &days, report)
}

// settleDue takes days into XP that are about to be folded and that somebody
// has written to since they closed: once folded, XP takes nothing of them any
// more. They are left to be closed again, for all else.
func (s *Store) settleDue(ctx context.Context, view Survey, days dayIndex) error {
	due := func(d game.Date) bool { return days.has(d) && !days.folded[d] && !s.writable(d) && s.alive(d) }
	if !slices.ContainsFunc(days.dates, due) {
		return nil
	}
	// No board of these days can have been begun since the survey.
	var p pipeline
	p.add(upstash.Cmd("HGETALL", game.ClosedKey), view.closedInto())
	if _, err := p.run(ctx, s.redis); err != nil {
		return err
	}
	unclosed, err := s.Unclosed(ctx, view)
	if err != nil {
		return err
	}
	for _, day := range unclosed {
		unsettled := func(m *game.Mode) bool {
			return !strings.HasPrefix(view.closed[game.ClosedDay(m.Name, day.Date)], settledMark)
		}
		if !due(day.Date) || !slices.ContainsFunc(day.Modes, unsettled) {
			continue
		}
		if _, err := s.CloseDay(ctx, day, nil); err != nil {
			return err
		}
	}
	return nil
}
