package board

import (
	"github.com/framedle/leaderboards/internal/budget"
	"github.com/framedle/leaderboards/internal/game"
)

// Degraded is what of the budget's measures bears on what is read of a board now:
// Caches on its pages, Refresh on everything, Features on its cards.
func (s *Store) Degraded(b game.Board) budget.Measures {
	m, age := s.Rollup.Measures(), s.DB.Age(b.Period)
	_, hasEarlier := b.Period.Previous()
	m.Refresh = m.Refresh && b.Derived() && age != game.Upcoming && age != game.Expired
	m.Features = m.Features && age != game.Expired && (hasEarlier || b.HasDetails())
	return m
}
