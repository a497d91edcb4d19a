package auth

import "github.com/framedle/leaderboards/internal/auth/internal/profile"

// ShownName makes a name fit for others' pages, as it is done with that of a
// session token: trimmed, without control characters and marks that reverse
// the direction of text, at most 80 characters. "" when nothing is left.
func ShownName(name string) string { return profile.Name(name) }

// ShownPicture returns a picture's address when it is an absolute https URL of
// at most 512 bytes of printable ASCII, without a user; else "".
func ShownPicture(address string) string { return profile.Picture(address) }
