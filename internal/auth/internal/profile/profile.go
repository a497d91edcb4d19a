// Package profile makes what a Clerk instance tells about a player fit to be
// shown to others. It knows the rule for each field and must not know where a
// field comes from: session tokens and webhooks are held to the same rules.
//
// A field that offers nothing usable becomes empty: a bad picture must not
// keep anybody from playing.
package profile

import (
	"net/url"
	"strings"
	"unicode"

	"github.com/framedle/leaderboards/internal/game"
)

const (
	maxName    = 80  // runes
	maxPicture = 512 // bytes
)

// Name makes a name fit for one line of a page: trimmed, without control
// characters, at most 80 runes. Marks that reverse the direction of text go
// too, since they would spill over onto the neighbours' rows.
func Name(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, name)
	name = strings.TrimSpace(name)
	if runes := []rune(name); len(runes) > maxName {
		name = strings.TrimSpace(string(runes[:maxName]))
	}
	return name
}

// Picture returns s when it is an absolute https URL of at most 512 bytes of
// printable ASCII, without a user.
func Picture(s string) string {
	if len(s) > maxPicture || !strings.HasPrefix(s, "https://") {
		return ""
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return ""
		}
	}
	if u, err := url.Parse(s); err != nil || u.Hostname() == "" || u.User != nil {
		return ""
	}
	return s
}

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
