package race

import "errors"

var (
	// ErrUnknown is returned for a race that does not exist, or that the player may not see.
	ErrUnknown = errors.New("there is no such race")
	// ErrOther is returned if the id belongs to another race.
	ErrOther = errors.New("this id stands for another race")
	// ErrFull is returned if no seat is free, or the race has started.
	ErrFull = errors.New("this race has no seat left")
	// ErrElsewhere is returned to a player who takes part in another race under way.
	ErrElsewhere = errors.New("you take part in another race; finish or leave it first")
	// ErrOver is returned for a request after the race's end.
	ErrOver = errors.New("this race is over")
	// ErrEarly is returned for a request before the race's start.
	ErrEarly = errors.New("this race has not started")
	// ErrOtherScore is returned if another score was reported before.
	ErrOtherScore = errors.New("another score has been told for this race")
	// ErrRefused is returned by Options.MayMeet if two players may not meet. No method
	// returns it, because players are not told.
	ErrRefused = errors.New("these two players may not race")
)
