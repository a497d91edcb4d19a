package board

import (
	"github.com/framedle/leaderboards/internal/budget"
	"github.com/framedle/leaderboards/internal/game"
)

// Frugal is what of the budget's measures bears on what is read of a board now:
// Caches on its pages, Refresh on everything, Features on its cards.
func (s *Store) Degraded(b game.Board) budget.Measures {
	m := s.Rollup.Measures()
	_, hasEarlier := b.Period.Previous()
	m.Refresh = m.Refresh && b.Derived() && !s.Rollup.Frozen(b)
	m.Features = m.Features && !s.Left(b) && (hasEarlier || b.HasDetails())
	return m
}
