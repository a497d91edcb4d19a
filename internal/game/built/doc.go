// Package built has the games that are built into a program: those of games/. It knows in which
// form a program has them. Package gamefile knows what a game file may say, and package game
// which games are valid.
//
// A program reads the file of its game when it starts. In builds with the tag lambda, before
// which `make` runs go generate, the games are Go values instead (games.go), which gamefile
// has read and checked. Such a program links neither the YAML reader nor the rules that check
// a game, and starts without that work.
package built

import (
	"errors"

	"github.com/framedle/leaderboards/internal/game"
)

//go:generate go run ./generate

// ErrUnknown is returned when games/ has no file of the name.
var ErrUnknown = errors.New("there is no such game")

// Game is the game of the file games/NAME.yaml. The error is ErrUnknown, or what is
// wrong with the file.
func Game(name string) (*game.Game, error) { return read(name) }

// file is what a file of games/ says, or what is wrong with it.
type file struct {
	name  string // without .yaml
	says  func() game.Game
	wrong string
}

// generated is the game of games/NAME.yaml as it was when games.go was generated.
func generated(name string) (*game.Game, error) {
	for _, f := range files {
		switch {
		case f.name != name:
		case f.wrong != "":
			return nil, errors.New(f.wrong)
		default:
			return game.Complete(f.says()), nil
		}
	}
	return nil, ErrUnknown
}
