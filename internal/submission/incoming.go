package submission

import (
	"time"

	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/idem"
)

// ReadIncoming reads one score that did not come over HTTP. The item has the form of an item
// of POST /v1/scores/batch, and counts as sent by a game server at a time. The id identifies
// it for ever, so that a sum counts it once.
//
// Cost: none.
func (r Reader) ReadIncoming(item []byte, at time.Time, id string) (game.Submission, error) {
	// The rights are a game server's. The key of its own keeps its records of sums apart from
	// those of other servers.
	by := Sender{Caller: gate.Caller{Server: auth.Server{Key: "incoming"}}, Now: at}
	read, err := r.ReadScore(item, by)
	sub := read.Submission
	if err == nil && sub.Mode.Policy == game.Sum {
		sub.Idempotency = game.IdempotencyRecord{ID: idem.Digest([]byte(by.ID()), []byte(id)), Fingerprint: idem.Digest(item)}
	}
	return sub, err
}
