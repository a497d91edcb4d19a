// Package race keeps races in Redis: up to five players who play the same mode at the same
// moment, and the ratings that follow from their scores. A race moves its ratings exactly
// once, in one atomic step, even if several callers report scores several times.
//
// There is no timer: the state of a race follows from its record and the clock. The first
// request after a moment that changes the state writes the change, so that all later requests
// see the same.
//
// It knows the rules of races (package game) and how to speak to Redis (package upstash). It
// must not know HTTP, who is calling, plays, SQL, or where it runs.
//
// Every step here may be sent again: a repeated step gets the first answer.
package race

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/fault"
	"github.com/framedle/leaderboards/internal/feature/duel"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Options are what New makes a Store of. Redis, Game, Now and NewID are required.
type Options struct {
	Redis *upstash.Client
	Game  *game.Game // if it has no races, every race is unknown
	Now   func() time.Time
	// NewID makes the ids of races. Anybody who knows the id of a waiting race may join, so
	// an id must hold at least 128 random bits.
	NewID func() string
	// MayMeet returns ErrRefused if a player may not meet one of the others. Nil: everybody
	// may.
	MayMeet func(ctx context.Context, player string, others ...string) error
	// Text draws the text that all players of a race get, "" for none. The race keeps the
	// text's digest, because the game's texts may change before all players have asked. Nil:
	// no texts.
	Text    func(mode *game.Mode) (string, error)
	History History // nil: races are lost with Redis
}

// Store makes, decides and reads races. It is safe for concurrent use.
type Store struct {
	records
	newID   func() string
	mayMeet func(ctx context.Context, player string, others ...string) error
	draw    func(mode *game.Mode) (string, error)
	taken   atomic.Int64 // how many seats this process has given away
	tracks  tracks
}

// records reads races and runs the steps on single ones.
type records struct {
	redis   *upstash.Client
	game    *game.Game
	rules   Rules
	ratings duel.Rules
	now     func() time.Time
	history History
}

// New makes a Store.
func New(o Options) *Store {
	s := &Store{
		records: records{redis: o.Redis, game: o.Game, ratings: duel.RulesOf(o.Game), now: o.Now, history: o.History},
		newID:   o.NewID, mayMeet: o.MayMeet, draw: o.Text, tracks: newTracks(),
	}
	if RulesOf(o.Game) != nil {
		s.rules = *RulesOf(o.Game)
	}
	if s.mayMeet == nil {
		s.mayMeet = func(context.Context, string, ...string) error { return nil }
	}
	return s
}

// text draws the text for a new race.
func (s *Store) text(mode string) (string, error) {
	m, ok := s.game.Mode(mode)
	if !ok || s.draw == nil {
		return "", nil
	}
	text, err := s.draw(m)
	if err != nil {
		return "", fmt.Errorf("draw the text of a race: %w", err)
	}
	return text, nil
}

// off reports whether the game has no races.
func (s *records) off() bool { return RulesOf(s.game) == nil }

// order is the order of scores in a mode. For a mode that the game no longer has, it is the
// order of most modes.
func (s *records) order(mode string) game.Order {
	if m, ok := s.game.Mode(mode); ok {
		return m.Order
	}
	return game.Desc
}

// span is how long after its start a race waits for results.
func (s *records) span(mode string) time.Duration {
	if m, ok := s.game.Mode(mode); ok {
		return time.Duration(m.Challenge.Seconds)*time.Second + s.rules.Timeout
	}
	return s.rules.Timeout
}

var (
	// ErrUnknown is returned for a race that does not exist, or that the player may not see.
	ErrUnknown = fault.Of("there is no such race", fault.Fault{Code: "unknown-race", Detail: "no such race, you are not part of it, or the game has no races"})
	// ErrOther is returned if the id belongs to another race.
	ErrOther = fault.New("race-state", "this id belongs to another race")
	// ErrFull is returned if no seat is free, or the race has started.
	ErrFull = fault.New("race-state", "this race is full")
	// ErrElsewhere is returned to a player who takes part in another race under way.
	ErrElsewhere = fault.New("race-state", "you take part in another race; finish or leave it first")
	// ErrOver is returned for a request after the race's end.
	ErrOver = fault.New("race-state", "this race is over")
	// ErrEarly is returned for a request before the race's start.
	ErrEarly = fault.New("race-state", "this race has not started")
	// ErrOtherScore is returned if another score was reported before.
	ErrOtherScore = errors.New("a different score was already reported for this race")
	// ErrRefused is returned by Options.MayMeet if two players may not meet. No method
	// returns it, because players are not informed of it.
	ErrRefused = errors.New("these two players may not race")
)

// History keeps races that have expired from Redis.
type History interface {
	// Put stores races that have started and ended. Races that it already has stay as
	// they are.
	Put(ctx context.Context, races []Race) error
	// Since reads the races that were made at a time or later. The slice passed to page
	// is reused.
	Since(ctx context.Context, since time.Time, page func([]Race) error) error
}
