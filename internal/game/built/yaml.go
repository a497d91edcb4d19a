//go:build !lambda

package built

import (
	"strings"

	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/game/gamefile"
)

func read(name string) (*game.Game, error) {
	text, err := games.FS.ReadFile(name + ".yaml")
	if err != nil {
		return nil, ErrUnknown
	}
	return gamefile.Parse("games/"+name+".yaml", text)
}

// Names are the names of all games, sorted.
func Names() []string {
	files, _ := games.FS.ReadDir(".") // an embedded folder can always be read
	var names []string
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".yaml"); ok {
			names = append(names, name)
		}
	}
	return names
}
