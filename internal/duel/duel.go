// Package duel keeps duels in Redis: challenges, the queue, results, and the ratings that
// follow from results. A result moves both ratings exactly once, in one atomic step, even if
// several callers report it several times.
//
// It knows the rules of duels (package game) and how to speak to Redis (package upstash). It
// must not know HTTP, who is calling, SQL, or where it runs. A [History] keeps what outlives
// Redis.
//
// A [Store] makes, decides and reads duels; its [Queue] finds opponents; its [Keeper] hands
// duels to the history and restores them from there.
//
// Every step here may be sent again: a repeated step gets the first answer.
package duel

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// Options are what New makes a Store of. Redis, Game, Now and NewID are required.
type Options struct {
	Redis *upstash.Client
	Game  *game.Game
	Now   func() time.Time
	// NewID makes the ids of challenges. Anybody who knows the id of an open challenge may
	// accept it, so an id must hold at least 128 random bits.
	NewID func() string
	// MayDuel returns ErrRefused if two players may not meet. Nil: everybody may.
	MayDuel func(ctx context.Context, player, other string) error
	History History // nil: duels are lost with Redis
	Races   Races   // nil: the game has no races
}

// Store makes, decides and reads duels. It is safe for concurrent use.
type Store struct {
	redis   *upstash.Client
	rules   game.Duels
	game    *game.Game
	now     func() time.Time
	newID   func() string
	mayDuel mayDuel
	history History
	races   Races
	made    atomic.Int64 // how many duels this process has made
	queue   *Queue
}

// New makes a Store.
func New(o Options) *Store {
	s := &Store{
		redis: o.Redis, rules: o.Game.Duels, game: o.Game, now: o.Now, newID: o.NewID,
		mayDuel: o.MayDuel, history: o.History, races: o.Races,
	}
	if s.races == nil {
		s.races = noRaces{}
	}
	if s.mayDuel == nil {
		s.mayDuel = func(context.Context, string, string) error { return nil }
	}
	s.queue = &Queue{duels: s, redis: s.redis, rules: s.rules.Queue, now: s.now, waiting: newWaitingRoom()}
	return s
}
