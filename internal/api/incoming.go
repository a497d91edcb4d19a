package api

import (
	"time"

	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/idem"
	"github.com/framedle/leaderboards/internal/submission"
)

// incoming is who sends what comes otherwise than over HTTP: a game server, as far as
// rights go, by a way of its own, as far as the records of sums go.
var incoming = gate.Caller{Server: auth.Server{Key: "incoming"}}

// Incoming reads what comes otherwise than over HTTP.
type Incoming struct{ scores scores }

// NewIncoming reads as an API would.
func NewIncoming(a *API) Incoming { return Incoming{a.scores} }

// Score reads one score as an item of POST /v1/scores/batch, sent at a time by a game
// server. The id names it for good: a sum counts it once.
//
// Cost: none.
func (in Incoming) Score(item []byte, at time.Time, id string) (game.Submission, error) {
	read, err := in.scores.reader.ReadScore(item, submission.Sender{Caller: incoming, Now: at})
	sub := read.Submission
	if err == nil && sub.Mode.Policy == game.Sum {
		sub.Idempotency = game.IdempotencyRecord{ID: idem.Digest([]byte(incoming.ID()), []byte(id)), Fingerprint: idem.Digest(item)}
	}
	return sub, err
}
