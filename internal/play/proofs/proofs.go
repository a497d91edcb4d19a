// Package proofs has every proof that a mode may name. Whoever adds one writes it beside
// keystrokes, adds its row here and its rule to game.Proofs; docs/plays.md has an example.
package proofs

import (
	"github.com/framedle/leaderboards/internal/play"
	"github.com/framedle/leaderboards/internal/play/keystrokes"
)

// Named finds a proof by its name in the game file.
func Named(name string) (play.Proof, bool) {
	switch name {
	case "keystrokes":
		return keystrokes.Prove, true
	}
	return nil, false
}
