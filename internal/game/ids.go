package game

import (
	"errors"
	"fmt"
	"slices"
)

// Limits of the names that clients send. Nothing else may become part of a
// Redis key, so no client can forge one.
const (
	MaxPlayer = 128 // bytes of a player's id
	MaxMode   = 40  // bytes of a mode's name
	MaxGroup  = 64  // bytes of a group's id
)

// DevicePrefix begins the player id of every device and of nobody else: Clerk's ids begin with
// user_.
const DevicePrefix = "dev_"

// reservedPlayers have a meaning of their own where an id is expected: paths are resolved
// along . and .., me is the caller, and erased is shown in place of erased players. A player
// with one of these ids could be neither shown, nor banned, nor erased.
var reservedPlayers = []string{".", "..", "me", "erased"}

// ValidPlayer refuses a player id that is not a [ValidID], or that is reserved. Clerk's user
// ids fit.
func ValidPlayer(id string) error {
	if err := ValidID(id); err != nil {
		return fmt.Errorf("%.140q is not a player id; %w", id, err)
	}
	if slices.Contains(reservedPlayers, id) {
		return fmt.Errorf("%q is reserved and cannot be a player id; use another, such as user_%s", id, id)
	}
	return nil
}

// ValidID refuses an id that is not 1 to 128 characters of [A-Za-z0-9_.:@-].
func ValidID(id string) error {
	ok := len(id) >= 1 && len(id) <= MaxPlayer
	for i := 0; ok && i < len(id); i++ {
		c := id[i]
		ok = letter(c) || digit(c) || c == '_' || c == '.' || c == ':' || c == '@' || c == '-'
	}
	if !ok {
		return errors.New("use 1 to 128 characters of A-Z, a-z, 0-9, _ . : @ and -")
	}
	return nil
}

// ValidMode refuses a mode name that is not [a-z][a-z0-9_]{0,39}. It does not say whether a
// game has such a mode: see [Game.Mode].
func ValidMode(name string) error {
	if !ValidName(name) {
		return fmt.Errorf("%.50q is not a mode name; use a letter a-z and up to 39 more of a-z, 0-9 and _", name)
	}
	return nil
}

// ValidName reports whether a name has the form [a-z][a-z0-9_]{0,39}.
func ValidName(name string) bool {
	if len(name) < 1 || len(name) > MaxMode || !lower(name[0]) {
		return false
	}
	for i := range len(name) {
		if c := name[i]; !lower(c) && !digit(c) && c != '_' {
			return false
		}
	}
	return true
}

// ValidGroup reports whether a text is a group: 1 to [MaxGroup] characters of A-Z, a-z, 0-9, _ and -.
func ValidGroup(id string) bool {
	if len(id) < 1 || len(id) > MaxGroup {
		return false
	}
	for i := range len(id) {
		if c := id[i]; !letter(c) && !digit(c) && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

func lower(c byte) bool  { return 'a' <= c && c <= 'z' }
func letter(c byte) bool { return lower(c) || 'A' <= c && c <= 'Z' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }
