package session

import (
	"github.com/framedle/leaderboards/internal/game"
)

// Country returns code when it is an ISO 3166-1 alpha-2 code in upper case.
func Country(code string) string {
	// Most are empty, and an empty one is returned before package game formats an error for
	// it.
	if code == "" || game.ValidCountry(code) != nil {
		return ""
	}
	return code
}

// Group reports whether id can name a group board.
func Group(id string) bool {
	if id == "" {
		return false
	}
	_, err := game.GroupScope(id)
	return err == nil
}
