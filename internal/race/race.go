// Package race keeps races in Redis: up to five players who play the same mode at
// the same moment, and the ratings that follow from how they did. A race moves its
// ratings exactly once, in one atomic step, however often and from wherever its
// results are told.
//
// There is no timer anywhere: how far a race has come follows from its record and
// the clock, and whoever asks first after a moment that changes it makes the
// change. So any later request sees the same.
//
// It knows the rules of races (package game) and how to speak to Redis (package
// upstash). It must not know HTTP, who is calling, plays, SQL, or where it runs.
//
// Every step here may be sent again: a step that has happened is answered as it
// was the first time.
package race

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Options are what a Store is made of. Redis, Game, Now and NewID are required.
type Options struct {
	Redis *upstash.Client
	Game  *game.Game // one that has races, or every race is unknown
	Now   func() time.Time
	// NewID makes the ids of races. Whoever knows the id of one that waits may
	// join, so an id must hold at least 128 random bits.
	NewID func() string
	// MayMeet tells with ErrRefused that a player may not meet one of others. Nil: all
	// may.
	MayMeet func(ctx context.Context, player string, others ...string) error
	// Text draws which text all who race in a mode are given, "" for none. It is kept
	// with the race: the game's texts may change before all have asked. Nil: none.
	Text    func(mode *game.Mode) (string, error)
	History History // nil: races are forgotten with Redis
}

// Store makes, decides and reads races. It is safe for concurrent use.
type Store struct {
	records
	newID   func() string
	mayMeet func(ctx context.Context, player string, others ...string) error
	draw    func(mode *game.Mode) (string, error)
	taken   atomic.Int64 // seats, by this process
	tracks  tracks
}

// records reads races and takes the steps of single ones.
type records struct {
	redis   *upstash.Client
	game    *game.Game
	rules   game.Races
	ratings game.Duels
	now     func() time.Time
	history History
}

// New makes a Store.
func New(o Options) *Store {
	s := &Store{
		records: records{redis: o.Redis, game: o.Game, ratings: o.Game.Duels, now: o.Now, history: o.History},
		newID:   o.NewID, mayMeet: o.MayMeet, draw: o.Text, tracks: newTracks(),
	}
	if o.Game.Races != nil {
		s.rules = *o.Game.Races
	}
	if s.mayMeet == nil {
		s.mayMeet = func(context.Context, string, ...string) error { return nil }
	}
	return s
}

// text draws the text of a race that is to be made.
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
func (s *records) off() bool { return s.game.Races == nil }

// order is how scores of a mode lead. A mode that the game has no more has its
// races decided as most modes are.
func (s *records) order(mode string) game.Order {
	if m, ok := s.game.Mode(mode); ok {
		return m.Order
	}
	return game.Desc
}

// span is how long after its start a race awaits results.
func (s *records) span(mode string) time.Duration {
	if m, ok := s.game.Mode(mode); ok {
		return time.Duration(m.Challenge.Seconds)*time.Second + s.rules.Timeout
	}
	return s.rules.Timeout
}
