package app

import "github.com/framedle/leaderboards/internal/race"

// races gets the scores of plays that belong to a race; nil if the game has no races.
func (a *App) races() *race.Store {
	if a.parts.Game.Races == nil {
		return nil
	}
	return race.New(race.Options{Redis: a.parts.Redis, Game: a.parts.Game, Now: a.parts.Now})
}
