package game

import "strings"

// A play that was sent has no keys of its own. That it was sent is among the plays that earn
// ([PlaysKey]), and its answer is among the details of its day ([DetailsKey]). Both name the
// play by a digest. Only [PlayOf] says which player it is from, for a play that earns, until
// the player is erased.

// SentPlay is the member of [PlaysKey] that says that a play was sent; id is already a digest.
// It sorts before the plays of all players, and is no player's.
func SentPlay(id string) string { return sent + id }

// IsSentPlay reports whether an entry of [PlaysKey] is a [SentPlay].
func IsSentPlay(entry string) bool { return strings.HasPrefix(entry, sent) }

const sent = "!"

// AnswerField is the field of [DetailsKey] with the answer to a play. No id of a player looks
// like it.
func AnswerField(id string) string { return sent + id }

// TurnKey says which request is at work on a play that was sent and has no answer yet.
func TurnKey(id string) string { return "turn:" + id }
