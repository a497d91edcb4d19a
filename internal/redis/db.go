// Package redis is the layer between boards and Redis: pipelines with typed answers, whole
// boards in pages, scripts that count their calls, locks, and the expiry that each key of a
// game has.
//
// It knows keys and commands. It must not know players, days or what a board is for.
package redis

import (
	"crypto/rand"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/fault"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/upstash"
)

// seenTo is for how many keys a process remembers that it has set their expiry.
const seenTo = 4096

// DB is a game's Redis, and the clocks that its keys live by. It is safe for
// concurrent use.
type DB struct {
	Redis   *upstash.Client
	Game    *game.Game
	Now     func() time.Time     // the product's clock: it decides dates, ties and expiry
	Elapsed func() time.Duration // only ever moves forward, for the age of what a process remembers

	ID       string                       // of this process, for keys that are its own
	Expiring *lru.Cache[string, struct{}] // keys whose expiry this process has set

	names atomic.Int64 // see UniqueName
}

// New makes a DB. Elapsed may be nil: then it is the time since now.
func New(redis *upstash.Client, g *game.Game, now func() time.Time, elapsed func() time.Duration) *DB {
	if elapsed == nil {
		began := time.Now()
		elapsed = func() time.Duration { return time.Since(began) }
	}
	expiring := lru.New[string, struct{}](seenTo)
	return &DB{Redis: redis, Game: g, Now: now, Elapsed: elapsed, ID: rand.Text(), Expiring: expiring}
}

// ErrVanished is returned when the player's entry was removed between the write and the read.
var ErrVanished = fault.Unavailable("the entry was removed while it was written", "the player's entry was removed meanwhile; try again", 0)

// Wrap says what was being done when an error came; nil stays nil.
func Wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
