package board

import (
	"github.com/framedle/leaderboards/internal/budget"
)

// Frugal is what of the budget's measures bears on what is read of a board now:
// Caches on its pages, Refresh on everything, Features on its cards.
func (s *Store) Frugal(b Board) budget.Measures {
	m := s.frugal()
	_, hasEarlier := b.Period.Previous()
	m.Refresh = m.Refresh && b.isDerived() && !s.frozen(b)
	m.Features = m.Features && !s.Left(b) && (hasEarlier || b.hasDetails())
	return m
}
