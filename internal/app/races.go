package app

import (
	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/race"
)

// races are those that submissions tell of plays that belong to one; nil where the game
// has none.
func (a *App) races() api.Races {
	if a.parts.Game.Races == nil {
		return nil
	}
	return race.New(race.Options{Redis: a.parts.Redis, Game: a.parts.Game, Now: a.parts.Now})
}
