package board

import (
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// expire makes the command that ends a key's life at its fixed moment, once
// per key and process. It reports false when the key has no end or has its
// expiry already.
func (s *Store) expire(key string, p game.Period) (upstash.Command, bool) {
	end, ok := s.game.Expires(p)
	if !ok || s.expiring.Contains(key) {
		return upstash.Command{}, false
	}
	return upstash.Cmd("EXPIRE", key, itoa(s.secondsUntil(end)), "NX").Idempotent(), true
}

func (s *Store) secondsUntil(end time.Time) int64 {
	left := end.Sub(s.now())
	return int64((left + time.Second - 1) / time.Second)
}

// alive reports whether a day's board may still be written: its key must not
// have reached its expiry.
func (s *Store) alive(d game.Date) bool {
	end, ok := s.game.Expires(game.Day.Of(d))
	return !ok || s.secondsUntil(end) > 0
}
