// Package redis is the layer between boards and Redis: pipelines with typed answers, whole
// boards in pages, scripts that count their calls, locks, and the expiry that each key of a
// game has.
//
// It knows keys and commands. It must not know players, days or what a board is for.
package redis

import (
	"crypto/rand"
	"fmt"
	"strconv"
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
var ErrVanished = fault.Unavailable("the entry was removed while it was written", "the player's entry was removed in the meantime; try again", 0)

// Wrap says what was being done when an error came; nil stays nil.
func Wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// Expire makes the command that sets a key's expiry to its fixed moment, once for each key and
// process. It reports false if the key has no expiry, or this process has set it already.
func (db *DB) Expire(key string, p game.Period) (upstash.Command, bool) {
	end, ok := game.KeyExpires(db.Game, key, p)
	if !ok || db.Expiring.Contains(key) {
		return upstash.Command{}, false
	}
	return ExpireBy(db, key, end, "NX"), true
}

// ExpireBy makes the command that lets a key expire at a moment, with the options of EXPIRE,
// if any.
func ExpireBy(db *DB, key string, end time.Time, options ...string) upstash.Command {
	return upstash.Cmd(append([]string{"EXPIRE", key, Itoa(db.SecondsUntil(end))}, options...)...).Idempotent()
}

// Seconds returns how long a key has left to live, for a script that sets its expiry; "" for a
// key that never expires.
func (db *DB) Seconds(key string, p game.Period) string {
	end, ok := game.KeyExpires(db.Game, key, p)
	if !ok {
		return ""
	}
	return Itoa(db.SecondsUntil(end))
}

func (db *DB) SecondsUntil(end time.Time) int64 {
	left := end.Sub(db.Now())
	return int64((left + time.Second - 1) / time.Second)
}

// Age is how old a period is now.
func (db *DB) Age(p game.Period) game.Lifecycle { return db.Game.Lifecycle(p, db.Now()) }

// Alive reports whether a day's board has not reached its expiry.
func (db *DB) Alive(d game.Date) bool { return db.Age(game.Day.Of(d)) < game.Expired }

// RankCommand is the command that ranks a player in the board's order.
func RankCommand(b game.Board) string {
	if b.Mode.Order == game.Asc {
		return "ZRANK"
	}
	return "ZREVRANK"
}

// RangeCommand reads positions first to last (zero-based, best first, inclusive).
func RangeCommand(b game.Board, first, last int64) upstash.Command {
	if b.Mode.Order == game.Asc {
		return upstash.Cmd("ZRANGE", b.Key, Itoa(first), Itoa(last), "WITHSCORES")
	}
	return upstash.Cmd("ZRANGE", b.Key, Itoa(first), Itoa(last), "REV", "WITHSCORES")
}

// AheadCommand counts the entries whose true score is better than s.
func AheadCommand(b game.Board, s game.Score) upstash.Command {
	if b.Mode.Order == game.Asc {
		return upstash.Cmd("ZCOUNT", b.Key, "-inf", "("+Itoa(int64(s)))
	}
	return upstash.Cmd("ZCOUNT", b.Key, Itoa(int64(s)+1), "+inf")
}

// BetterCommand counts the entries that are better than one that is stored so.
func BetterCommand(b game.Board, stored float64) upstash.Command {
	if b.Mode.Order == game.Asc {
		return upstash.Cmd("ZCOUNT", b.Key, "-inf", "("+game.FormatStored(stored))
	}
	return upstash.Cmd("ZCOUNT", b.Key, "("+game.FormatStored(stored), "+inf")
}

// FirstOf is the bound of a ZCOUNT at which a true score begins.
func FirstOf(b game.Board, s game.Score) string {
	if b.Mode.Name == game.DuelMode { // ratings are rounded, other scores cut off
		return game.FormatStored(float64(s) - 0.5)
	}
	return Itoa(int64(s))
}

// ScoresOf reads the scores of players on a board.
func ScoresOf(key string, members []Member) upstash.Command {
	args := make([]string, 0, len(members)+2)
	args = append(args, "ZMSCORE", key)
	for _, m := range members {
		args = append(args, m.Player)
	}
	return upstash.Cmd(args...)
}

func Itoa(n int64) string { return strconv.FormatInt(n, 10) }

// Millis returns a moment in Unix milliseconds.
func Millis(t time.Time) string { return Itoa(t.UnixMilli()) }

// Seconds returns a duration in whole seconds.
func Seconds(d time.Duration) string { return Itoa(int64(d / time.Second)) }
