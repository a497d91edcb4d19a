// Package profile makes what a Clerk instance tells about a player fit to be
// shown to others. It knows the rule for each field and must not know where a
// field comes from: session tokens and webhooks are held to the same rules.
//
// A field that offers nothing usable becomes empty: a bad picture must not
// keep anybody from playing.
package profile

import (
	"github.com/framedle/leaderboards/internal/game"
)

// Country returns code when it is an ISO 3166-1 alpha-2 code in upper case.
func Country(code string) string {
	// Mostly absent: an empty one is turned away before package game words an
	// error about it.
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
