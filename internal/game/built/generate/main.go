// Command generate writes games.go: what each file of games/ says, as Go. For a file that
// cannot be read it writes what is wrong with it; a function that is to serve that game says
// so when it starts. The other games can be served all the same.
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

// replace writes a file in one step, and leaves a file alone that has the same text: builds of
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
		_ = os.Remove(f.Name()) // the error above says more
	}
	return err
}
