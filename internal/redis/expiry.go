package redis

import (
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

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
