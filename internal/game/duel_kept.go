package game

import "time"

// DuelStanding is what all duels of a player together have come to.
type DuelStanding struct {
	Player string
	Rating float64
	XP     int64

	// For ratings that decay: when the last duel was decided, the zero time if that is not
	// kept; and through which week the rating has had its losses.
	Last    time.Time
	Through int64
}

// DuelsBegun is how many of a player's duels had an opponent.
type DuelsBegun struct {
	Player string
	Duels  int64
}

// DuelsCarried is what a player has from duels that the archive does not have.
type DuelsCarried struct {
	Player string
	Rating *float64 // the rating that the other duels began with; nil: as they say
	XP     int64
	Begun  int64 // how many those duels were

	// Through is the last week whose loss the rating has had, if ratings decay.
	Through int64
}
