package board

import (
	"github.com/framedle/leaderboards/internal/budget"
	"github.com/framedle/leaderboards/internal/game"
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

// hasDetails tells boards whose cards may show what a play was sent with.
func (b Board) hasDetails() bool { return b.Mode.Details && b.Period.Kind() == game.Day }
