package board

import "github.com/framedle/leaderboards/internal/game"

// ModeNamed finds a mode by what callers call it, or one of the boards that belong
// to the game as a whole: xp and duels, which have all time only.
func (s *Store) ModeNamed(name string) (*game.Mode, bool) {
	switch name {
	case game.XPMode:
		return &game.ModeOfXP, true
	case game.DuelMode:
		return &game.Mode{Name: name, Title: "Duel rating", Order: game.Desc, Ties: game.Earliest, Aggregate: game.Last}, true
	}
	return s.DB.Game.ModeCalled(name)
}
