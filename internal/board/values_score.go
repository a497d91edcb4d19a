package board

import "github.com/framedle/leaderboards/internal/game"

// fractionOf is what a stored score has beside the true one, which orders ties.
func fractionOf(m *game.Mode, stored float64) float64 { return stored - float64(m.Decode(stored)) }
