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
	"errors"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/fault"

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
	rules   Rules
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
		redis: o.Redis, rules: RulesOf(o.Game), game: o.Game, now: o.Now, newID: o.NewID,
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

var (
	// ErrUnknown is returned for a duel that does not exist, or that the player may not see.
	ErrUnknown = fault.Of("there is no such duel", fault.Fault{Code: "unknown-duel", Detail: "no such duel, or you are not part of it"})
	// ErrOther is returned if the id belongs to a duel of other players.
	ErrOther = fault.New("duel-state", "this id belongs to another duel")
	// ErrTaken is returned if somebody else has accepted.
	ErrTaken = fault.New("duel-state", "another player has accepted this challenge")
	// ErrOwn is returned to a player who accepts their own challenge.
	ErrOwn = fault.New("duel-state", "a challenge must be accepted by the other player")
	// ErrNotReady is returned for the result of a duel that nobody has accepted.
	ErrNotReady = fault.New("duel-state", "this duel has only one player")
	// ErrNotPlaying is returned when the winner is neither of the two players.
	ErrNotPlaying = fault.Of("the winner is not one of the two players", fault.Fault{Code: "invalid-request", Detail: "this must be one of the two players, or null for a draw", Pointer: "/winner"})
	// ErrDecided is returned if another result was reported before.
	ErrDecided = fault.New("duel-decided", "a different result was already reported for this duel")
	// ErrAccepted is returned if a challenge was accepted before it was declined.
	ErrAccepted = fault.New("duel-state", "this challenge has been accepted")
	// ErrOver is returned if the time of the duel has ended.
	ErrOver = fault.New("duel-state", "this duel has expired")
	// ErrNotDecided is returned for a rematch of a duel that is still under way.
	ErrNotDecided = fault.New("duel-state", "this duel is still in progress")
	// ErrOpen is returned to a player who has the most challenges that may wait.
	ErrOpen = fault.New("challenges-full", "this player has too many open challenges")
	// ErrRefused is returned by Options.MayDuel if two players may not meet. No method
	// returns it, because players are not informed of it.
	ErrRefused = errors.New("these two players may not duel")
)

// Races move the same ratings as duels. So whatever a Keeper says of ratings, and of how many
// duels were begun, includes races.
type Races interface {
	// Keep hands finished races to the history.
	Keep(ctx context.Context) error
	// UnderWay counts, for each player, the races that have started and that the history does
	// not have yet, and says who has a decided one among them. The caller may change the
	// maps.
	UnderWay(ctx context.Context) (begun map[string]int64, decided map[string]bool, err error)
	// Restore restores races that Redis should still have, and counts them.
	Restore(ctx context.Context, dryRun bool) (int, error)
}

// noRaces are the Races of a game without races.
type noRaces struct{}

func (noRaces) Keep(context.Context) error { return nil }

func (noRaces) UnderWay(context.Context) (map[string]int64, map[string]bool, error) {
	return map[string]int64{}, map[string]bool{}, nil
}

func (noRaces) Restore(context.Context, bool) (int, error) { return 0, nil }

// ErrNoHistory is returned if duels are to be restored or verified without a history.
var ErrNoHistory = errors.New("there is no history of duels: set DATABASE_URL")

// Keeper moves duels from Redis to the history and back, and compares the two. It is safe for
// concurrent use.
type Keeper struct {
	duels   *Store
	redis   *upstash.Client
	rules   Rules
	now     func() time.Time
	history History // nil: duels are lost with Redis
	races   Races
}

// Keeper is the Keeper of a Store's duels.
func (s *Store) Keeper() *Keeper {
	return &Keeper{duels: s, redis: s.redis, rules: s.rules, now: s.now, history: s.history, races: s.races}
}
