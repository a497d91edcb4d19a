package game

import (
	"errors"

	"github.com/framedle/leaderboards/internal/fault"
)

// Status says what a play did to the player's entry.
type Status string

// What a play can do.
const (
	Accepted Status = "accepted" // the player's first entry
	Improved Status = "improved" // the entry changed
	Kept     Status = "kept"     // an earlier entry counts
	Replayed Status = "replayed" // this very request had its effect before
)

// ErrDayExpired is returned for a day whose board has outlived its key.
var ErrDayExpired = errors.New("the day's board has left Redis")

// ErrDatabaseAway says that the database behind Redis, which has the history and the graph of
// friends, does not answer, or stopped answering during the call. Every call may be made again.
var ErrDatabaseAway = fault.Unavailable("postgres does not answer; the call may be made again",
	"the database of the history and of friends cannot be reached; send the same again", 0)
