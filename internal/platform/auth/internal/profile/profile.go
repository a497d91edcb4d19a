// Package profile makes what a Clerk instance says of a player fit to be shown to others. It
// knows the rule for each field. It must not know where a field comes from: the same rules
// apply to session tokens and to webhooks.
//
// A field without a usable value becomes empty: a bad picture must not keep anybody from
// playing.
package profile

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
