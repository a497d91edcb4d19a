package game

import "strconv"

// Names that stand where a mode stands in an address, for boards of the game
// as a whole.
const (
	XPMode   = "xp"
	DuelMode = "duels"
)

// ProfilesKey is a hash: player -> name, picture and country as JSON.
const ProfilesKey = "profiles"

// DetailsKey is a hash of one mode and day: player -> the details of the entry.
func DetailsKey(mode string, d Date) string { return "details:" + mode + ":" + d.String() }

// DaysKey is a hash of one mode and scope: date -> whether the day has been
// folded into what outlives it. It lists every day board that was written.
func DaysKey(mode string, s Scope) string { return "days:" + mode + scopeSuffix(s) }

// ScopesKey is the set of scopes, besides global, that a mode has boards for.
func ScopesKey(mode string) string { return "scopes:" + mode }

// OnceKey is the record that an effect has happened; id is already a digest.
func OnceKey(id string) string { return "once:" + id }

// RefreshKey is the lock of one refresh of a derived board. The slot is the
// number of the interval, so that a clock that is moved finds no old lock.
func RefreshKey(board string, slot int64) string {
	return "refresh:" + board + ":" + strconv.FormatInt(slot, 10)
}

// FoldedKey is what a derived board holds of days that need not be there any
// more. The month and all-time boards, and XP, have one.
func FoldedKey(board string) string { return "folded:" + board }

// ScratchKey is where a step of a derivation is put down; it lives a minute.
func ScratchKey(board, step string) string { return "scratch:" + board + ":" + step }

func scopeSuffix(s Scope) string {
	if s.kind == Global {
		return ""
	}
	return ":" + s.String()
}
