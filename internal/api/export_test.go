package api

import (
	"github.com/framedle/leaderboards/internal/game"
)

// ErasureIn is what an erasure may cost in a game.
func ErasureIn(g *game.Game) int { return erasureIn(g) }
