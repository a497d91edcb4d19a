package auth

import "github.com/framedle/leaderboards/internal/auth/internal/profile"

// ShownName makes a name fit for others' pages, as it is done with that of a
// session token: trimmed, at most 80 characters, without any that are not seen,
// that reverse the direction of text or that pile up. "" when no letter or
// digit is left.
func ShownName(name string) string { return profile.Name(name) }

// NameFault says why ShownName would change a name; "" where it would not.
func NameFault(name string) string { return profile.NameFault(name) }

// ShownPicture returns the one form of a picture's address when it is an absolute
// https URL of at most 512 bytes of printable ASCII, without a user; else "".
func ShownPicture(address string) string { return profile.Picture(address) }
