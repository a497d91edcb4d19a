// Package duel keeps duels in Redis: challenges, the queue, results, and the
// ratings that follow from them. A result moves both ratings exactly once, in
// one atomic step, however often and from wherever it is told.
//
// It knows the rules of duels (package game) and how to speak to Redis (package
// upstash). It must not know HTTP, who is calling, SQL, or where it runs. What
// outlives Redis it hands to a [History].
//
// Every step here may be sent again: a step that has happened is answered as it
// was the first time.
package duel

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

var (
	// ErrUnknown is returned for a duel that does not exist, or that is none of
	// the player's.
	ErrUnknown = errors.New("there is no such duel")
	// ErrOther is returned when the id stands for a duel of other players.
	ErrOther = errors.New("this id stands for another duel")
	// ErrTaken is returned when somebody else has accepted.
	ErrTaken = errors.New("this challenge has been accepted by somebody else")
	// ErrOwn is returned to a player who accepts their own challenge.
	ErrOwn = errors.New("a challenge is accepted by the other player")
	// ErrNotReady is returned for the result of a duel that nobody has accepted.
	ErrNotReady = errors.New("this duel has only one player")
	// ErrNotPlaying is returned when the winner is neither of the two players.
	ErrNotPlaying = errors.New("the winner is not one of the two players")
	// ErrDecided is returned when another result has been told before.
	ErrDecided = errors.New("another result has been told for this duel")
	// ErrOver is returned when the time of the duel has ended.
	ErrOver = errors.New("the time of this duel is over")
	// ErrNotDecided is returned for a rematch of a duel that is still under way.
	ErrNotDecided = errors.New("this duel is still under way")
	// ErrOpen is returned to a player of whom as many challenges wait as may.
	ErrOpen = errors.New("too many challenges of this player wait to be accepted")
	// ErrRefused is returned by Options.MayDuel when two players may not meet. No
	// method returns it: nobody is told so.
	ErrRefused = errors.New("these two players may not duel")
)

// History keeps duels when they have left Redis.
type History interface {
	// PutDuels keeps decided and disputed duels, and those that expired with two
	// players; those it has stay as they are.
	PutDuels(ctx context.Context, duels []game.Duel) error
	// DuelsOf lists a player's duels after a place, newest first.
	DuelsOf(ctx context.Context, player string, after Mark, limit int) ([]game.Duel, error)
	// DuelsSince reads the duels that were made at a time or later. The slice is
	// used again.
	DuelsSince(ctx context.Context, since time.Time, page func([]game.Duel) error) error
	// HasDuels reports whether it keeps any of some duels.
	HasDuels(ctx context.Context, ids []string) (bool, error)
	// Standings tells what the decided duels have made of everybody who has one,
	// where a new player has the rating start. The XP of some duels is left out.
	Standings(ctx context.Context, start float64, without []string, page func([]Standing) error) error
	// Begun tells how many of the duels that it keeps everybody has begun.
	Begun(ctx context.Context, page func([]Begun) error) error
	// PutOpen keeps duels that are under way as they are, and forgets others, by
	// their ids, that are so no more.
	PutOpen(ctx context.Context, open []game.Duel, ended []string) error
	// Open reads the duels that were under way when they were kept. The slice is
	// used again.
	Open(ctx context.Context, page func([]game.Duel) error) error
	// Carry keeps what players have beyond the duels that it keeps, in place of
	// what it kept of them. Standings and Begun count it.
	Carry(ctx context.Context, all []Carried) error
	// Carried tells what Carry has kept.
	Carried(ctx context.Context) ([]Carried, error)
}

// Carried is what has come of a player's duels that the history does not have.
type Carried = game.DuelsCarried

// Begun is how many duels a player has had an opponent in.
type Begun = game.DuelsBegun

// Standing is what all duels of a player together have come to.
type Standing = game.DuelStanding

// Options are what a Store is made of. Redis, Game, Now and NewID are required.
type Options struct {
	Redis *upstash.Client
	Game  *game.Game
	Now   func() time.Time
	// NewID makes the ids of challenges. Whoever knows the id of an open one may
	// accept it, so an id must hold at least 128 random bits.
	NewID func() string
	// MayDuel tells with ErrRefused that two players may not meet. Nil: all may.
	MayDuel func(ctx context.Context, player, other string) error
	History History // nil: duels are forgotten with Redis
}

// Store is safe for concurrent use.
type Store struct {
	redis   *upstash.Client
	rules   game.Duels
	game    *game.Game
	now     func() time.Time
	newID   func() string
	mayDuel func(ctx context.Context, player, other string) error
	history History
	made    atomic.Int64 // duels, by this process
	waiting waitingRoom
}

// New makes a Store.
func New(o Options) *Store {
	s := &Store{
		redis: o.Redis, rules: o.Game.Duels, game: o.Game, now: o.Now, newID: o.NewID,
		mayDuel: o.MayDuel, history: o.History, waiting: newWaitingRoom(),
	}
	if s.mayDuel == nil {
		s.mayDuel = func(context.Context, string, string) error { return nil }
	}
	return s
}
