package game

import (
	"encoding/json"
)

// Result is everything that one player has on one day of one mode.
type Result struct {
	Player  string
	Stored  float64         // on the day's board, as Redis has it, tie fraction included
	Scopes  []ScopedResult  // the other boards the player is on
	Details json.RawMessage // nil: none that belong to this score
	Profile Profile         // empty if nothing is known
}

// Score is the true score.
func (r Result) Score() Score { return TrueScore(r.Stored) }

// DayResult is a player's result of some mode's day.
type DayResult struct {
	Mode string
	Date Date
	Result
}

// DayName names a mode's day.
type DayName struct {
	Mode string
	Date Date
}
