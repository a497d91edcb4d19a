package board

import (
	"encoding/json"

	"github.com/framedle/leaderboards/internal/game"
)

// Result is everything that stands of one player on one day of one mode.
type Result struct {
	Player  string
	Score   game.Score
	Stored  float64 // as Redis holds it, tie fraction included
	Scopes  []ScopedResult
	Details json.RawMessage // nil: none that belongs to this score
	Profile Profile         // empty where nothing is known
}

// ScopedResult is the player's entry on the board of a scope. What a closing
// tells is the one that stands on the day's board.
type ScopedResult = game.ScopedResult
