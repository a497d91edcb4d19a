package submission

import (
	"time"

	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/idem"
)

// ReadIncoming reads one score that comes otherwise than over HTTP: as an item of
// POST /v1/scores/batch, sent at a time by a game server. The id names it for good: a sum
// counts it once.
//
// Cost: none.
func (r Reader) ReadIncoming(item []byte, at time.Time, id string) (game.Submission, error) {
	// A game server, as far as rights go, by a way of its own, as far as the records of
	// sums go.
	by := Sender{Caller: gate.Caller{Server: auth.Server{Key: "incoming"}}, Now: at}
	read, err := r.ReadScore(item, by)
	sub := read.Submission
	if err == nil && sub.Mode.Policy == game.Sum {
		sub.Idempotency = game.IdempotencyRecord{ID: idem.Digest([]byte(by.ID()), []byte(id)), Fingerprint: idem.Digest(item)}
	}
	return sub, err
}
