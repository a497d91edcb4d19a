// This file lists every proof that a mode may name, and works out the scores of plays by
// them. To add one, write it in a file beside keystrokes.go, add its row here, and add its
// rule to game.Proofs; docs/build/plays.md has an example.

package play

import (
	"slices"

	"github.com/framedle/leaderboards/internal/game"
)

// Named finds a proof by its name in the game file.
func Named(name string) (Proof, bool) {
	switch name {
	case "keystrokes":
		return Prove, true
	}
	return nil, false
}

// Score works out the score of a play by the proof of its mode. Held is why an operator has
// to look at it; empty: not needed.
//
// Errors: *[play.Refusal], and *[game.ScoreError] for a value outside the mode's bounds.
func Score(p Play, s Submission) (score game.Score, held string, err error) {
	prove, _ := Named(p.Mode.Proof) // proof and rule exist, because the game file was accepted
	rule, _ := game.ProofNamed(p.Mode.Proof)
	values, verdict, err := prove(p, s)
	if err != nil {
		return 0, "", err
	}
	if !p.Mode.Composite() {
		score, err = p.Mode.ParseScore(game.FormatScaled(values[0], game.ProofDecimals))
		return score, verdict.Held, err
	}
	row := make([]game.Score, len(p.Mode.Values))
	for i, v := range p.Mode.Values {
		row[i] = values[slices.Index(rule.Gives, v.Name)]
	}
	score, err = p.Mode.Pack(row)
	return score, verdict.Held, err
}
