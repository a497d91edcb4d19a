//go:build !lambda

package built

import (
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
