package play

import (
	"encoding/json"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// Submission is the part of a submission that a proof judges.
type Submission struct {
	Proof  json.RawMessage
	Passed time.Duration // since the play began, by the server's clock
}

// Verdict is the result for a proof that is not refused.
type Verdict struct {
	// Held is why the score is kept off the board until an operator has looked at it; empty:
	// it is put on the board.
	Held string
}

// Proof works out the values of a play. They are those that its rule in package game names,
// in that order, each with game.ProofDecimals decimals. A Proof refuses what is impossible
// with a *[Refusal], and holds what is suspicious. It is pure: equal arguments give equal
// results, in any process.
type Proof func(Play, Submission) (values []game.Score, v Verdict, err error)
