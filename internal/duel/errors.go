package duel

import (
	"errors"
)

var (
	// ErrUnknown is returned for a duel that does not exist, or that the player may not see.
	ErrUnknown = errors.New("there is no such duel")
	// ErrOther is returned if the id belongs to a duel of other players.
	ErrOther = errors.New("this id stands for another duel")
	// ErrTaken is returned if somebody else has accepted.
	ErrTaken = errors.New("this challenge has been accepted by somebody else")
	// ErrOwn is returned to a player who accepts their own challenge.
	ErrOwn = errors.New("a challenge is accepted by the other player")
	// ErrNotReady is returned for the result of a duel that nobody has accepted.
	ErrNotReady = errors.New("this duel has only one player")
	// ErrNotPlaying is returned when the winner is neither of the two players.
	ErrNotPlaying = errors.New("the winner is not one of the two players")
	// ErrDecided is returned if another result was reported before.
	ErrDecided = errors.New("another result has been told for this duel")
	// ErrOver is returned if the time of the duel has ended.
	ErrOver = errors.New("the time of this duel is over")
	// ErrNotDecided is returned for a rematch of a duel that is still under way.
	ErrNotDecided = errors.New("this duel is still under way")
	// ErrOpen is returned to a player who has the most challenges that may wait.
	ErrOpen = errors.New("too many challenges of this player wait to be accepted")
	// ErrRefused is returned by Options.MayDuel if two players may not meet. No method
	// returns it, because players are not told.
	ErrRefused = errors.New("these two players may not duel")
)
