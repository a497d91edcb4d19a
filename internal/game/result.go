package game

import (
	"encoding/json"
	"math"
)

// Result is everything that stands of one player on one day of one mode.
type Result struct {
	Player  string
	Stored  float64         // on the day's board, as Redis holds it, tie fraction included
	Scopes  []ScopedResult  // the other boards the player is on
	Details json.RawMessage // nil: none that belongs to this score
	Profile Profile         // empty where nothing is known
}

// Score is the true score: a tie fraction is below 1.
func (r Result) Score() Score { return Score(math.Floor(r.Stored)) }

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
