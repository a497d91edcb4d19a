// Package proofs lists every proof that a mode may name. To add one, write it as a package
// beside keystrokes, add its row here, and add its rule to game.Proofs; docs/plays.md has an
// example.
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
