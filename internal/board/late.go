package board

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
)

// countLate brings scores that were written to a day that has closed to their players' XP and
// streaks. It does so whatever became of them: a request that is sent again may have been cut
// off before.
func (s *Store) countLate(ctx context.Context, subs ...game.Submission) error {
	var dates []game.Date
	players := map[game.Date][]string{}
	seen := map[game.Date]map[string]bool{}
	for _, sub := range subs {
		switch {
		case !s.isLate(sub.Date):
			continue
		case seen[sub.Date] == nil:
			dates = append(dates, sub.Date)
			seen[sub.Date] = map[string]bool{}
		}
		if !seen[sub.Date][sub.Player] {
			seen[sub.Date][sub.Player] = true
			players[sub.Date] = append(players[sub.Date], sub.Player)
		}
	}
	for _, d := range dates {
		if err := s.XP.CountLate(ctx, d, players[d]); err != nil {
			return err
		}
		s.Windows.Forget(game.XPKey)
		s.Totals.Forget(game.XPKey)
	}
	return nil
}

// isLate reports whether a day has closed, so that XP and streaks may have taken it in.
func (s *Store) isLate(d game.Date) bool { return s.DB.Age(game.Day.Of(d)) >= game.Closed }

// countLate does so for a batch. If it fails, the late scores are answered with its error: they
// are to be sent again.
func (b *batch) countLate(ctx context.Context) {
	var late []game.Submission
	for i, sub := range b.subs {
		if b.outcomes[i].Err == nil {
			late = append(late, sub)
		}
	}
	err := b.s.countLate(ctx, late...)
	for i, sub := range b.subs {
		if err != nil && b.outcomes[i].Err == nil && b.s.isLate(sub.Date) {
			b.outcomes[i].Err = err
		}
	}
}
