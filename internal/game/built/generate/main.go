// Command generate writes games.go: what each file of games/ says, as Go. A file that
// cannot be read is written with what is wrong with it, which a function that shall serve
// it says when it starts; the others can be served all the same.
//
//	go generate ./internal/game/built
package main

import (
	"fmt"
	"os"

	"github.com/framedle/leaderboards/games"
)

func main() {
	text, err := written(games.FS)
	if err == nil {
		err = replace("games.go", text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// replace writes a file in one step, and leaves one alone that is the same: builds of
// several functions may run at once.
func replace(name string, text []byte) error {
	if old, err := os.ReadFile(name); err == nil && string(old) == string(text) {
		return nil
	}
	f, err := os.CreateTemp(".", "games-*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // what was wrong before it says more
	}
	return err
}
