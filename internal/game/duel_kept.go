package game

import "time"

// DuelStanding is what all duels of a player together have come to.
type DuelStanding struct {
	Player string
	Rating float64
	XP     int64

	// Of ratings that decay: when the last duel was decided, the zero time where it is
	// not kept; then through which week the rating has had its losses.
	Last    time.Time
	Through int64
}

// DuelsBegun is how many duels a player has had an opponent in.
type DuelsBegun struct {
	Player string
	Duels  int64
}

// DuelsCarried is what has come of a player's duels that the archive does not have.
type DuelsCarried struct {
	Player string
	Rating *float64 // with which the others began; nil: as they say
	XP     int64
	Begun  int64 // how many they were

	// Through is the last week whose loss the rating has had, where ratings decay.
	Through int64
}
