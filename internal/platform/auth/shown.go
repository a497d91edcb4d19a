package auth

import "github.com/framedle/leaderboards/internal/platform/auth/internal/session"

// ShownName makes a name fit for others' pages, by the rules for names in session tokens:
// trimmed, at most 80 characters, without characters that are invisible or not assigned, reverse
// the direction of text or pile up. It returns "" if no letter or digit is left.
func ShownName(name string) string { return session.Name(name) }

// NameFault says why ShownName would change a name; "" if it would not.
func NameFault(name string) string { return session.NameFault(name) }

// ShownPicture returns the canonical form of a picture's address, if it is an absolute https
// URL of at most 512 bytes of printable ASCII, without a user and with the name of a host that
// may be public; else "".
func ShownPicture(address string) string { return session.Picture(address) }
