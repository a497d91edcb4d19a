package play

import (
	"encoding/json"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// Submission is what a player sent in with a play, as far as a proof may judge by it.
type Submission struct {
	Proof  json.RawMessage
	Passed time.Duration // since the play began, by the server's clock
}

// Verdict is what becomes of a proof that is not refused.
type Verdict struct {
	// Held is why the score is kept off the board until an operator has looked at it;
	// empty: it enters.
	Held string
}

// Proof works out what a play came to. Values are those that its rule in package game
// names, in that order, each with game.ProofDecimals places. What cannot have happened is
// a *[Refusal]; what might not have is held. It is pure: the same play and submission give
// the same, in any process.
type Proof func(Play, Submission) (values []game.Score, v Verdict, err error)

// Score is what the values that follow from a proof come to in the play's mode.
//
// Errors: *[game.ScoreError] for one outside its bounds.
func Score(m *game.Mode, rule game.ProofRule, values []game.Score) (game.Score, error) {
	if !m.Composite() {
		return m.ParseScore(game.FormatScaled(values[0], game.ProofDecimals))
	}
	row := make([]game.Score, len(m.Values))
	for i, v := range m.Values {
		for j, name := range rule.Gives {
			if v.Name == name {
				row[i] = values[j]
			}
		}
	}
	return m.Pack(row)
}
