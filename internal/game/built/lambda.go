//go:build lambda

package built

import "github.com/framedle/leaderboards/internal/game"

func read(name string) (*game.Game, error) { return generated(name) }

// Names are the names of all games, sorted.
func Names() []string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.name
	}
	return names
}
