package session

import "github.com/framedle/leaderboards/internal/game"

// The claims checked here are mostly absent: an empty one is turned away
// before package game words an error about it.

func validPlayer(id string) bool { return game.ValidPlayer(id) == nil }

func validCountry(code string) bool { return code != "" && game.ValidCountry(code) == nil }

func validGroup(id string) bool {
	if id == "" {
		return false
	}
	_, err := game.GroupScope(id)
	return err == nil
}
