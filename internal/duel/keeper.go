package duel

import (
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// ErrNoHistory is returned where duels are to be restored or verified and
// nothing keeps them.
var ErrNoHistory = errors.New("there is no history of duels: set DATABASE_URL")

// Keeper brings duels from Redis to the history and back, and holds the two
// against each other. It is safe for concurrent use.
type Keeper struct {
	duels   *Store
	redis   *upstash.Client
	rules   game.Duels
	now     func() time.Time
	history History // nil: duels are forgotten with Redis
	races   Races
}

// Keeper is what keeps the duels of a Store.
func (s *Store) Keeper() *Keeper {
	return &Keeper{duels: s, redis: s.redis, rules: s.rules, now: s.now, history: s.history, races: s.races}
}
