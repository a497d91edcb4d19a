package game

import (
	"encoding/json"
)

// Result is everything that stands of one player on one day of one mode.
type Result struct {
	Player  string
	Score   Score
	Stored  float64 // as Redis holds it, tie fraction included
	Scopes  []ScopedResult
	Details json.RawMessage // nil: none that belongs to this score
	Profile Profile         // empty where nothing is known
}
