package duel

import (
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// ErrNoHistory is returned if duels are to be restored or verified without a history.
var ErrNoHistory = errors.New("there is no history of duels: set DATABASE_URL")

// Keeper moves duels from Redis to the history and back, and compares the two. It is safe for
// concurrent use.
type Keeper struct {
	duels   *Store
	redis   *upstash.Client
	rules   game.Duels
	now     func() time.Time
	history History // nil: duels are lost with Redis
	races   Races
}

// Keeper is the Keeper of a Store's duels.
func (s *Store) Keeper() *Keeper {
	return &Keeper{duels: s, redis: s.redis, rules: s.rules, now: s.now, history: s.history, races: s.races}
}
