package race

import "errors"

var (
	// ErrUnknown is returned for a race that does not exist, or that is none of
	// the player's.
	ErrUnknown = errors.New("there is no such race")
	// ErrOther is returned when the id stands for another race.
	ErrOther = errors.New("this id stands for another race")
	// ErrFull is returned where no seat is free, or the race has started.
	ErrFull = errors.New("this race has no seat left")
	// ErrElsewhere is returned to who takes part in another race that is under way.
	ErrElsewhere = errors.New("you take part in another race; finish or leave it first")
	// ErrOver is returned for what comes after a race's end.
	ErrOver = errors.New("this race is over")
	// ErrEarly is returned for what comes before a race's start.
	ErrEarly = errors.New("this race has not started")
	// ErrOtherScore is returned when another score has been told before.
	ErrOtherScore = errors.New("another score has been told for this race")
	// ErrRefused is returned by Options.MayMeet when two players may not meet. No
	// method returns it: nobody is told so.
	ErrRefused = errors.New("these two players may not race")
)
