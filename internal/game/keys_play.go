package game

import "strings"

// What is kept of a play that was sent stands with what else is written for it: that it
// was sent among the plays that earn ([PlaysKey]), what it was answered among the details
// of its day ([DetailsKey]). Both name it by a digest. Whose it is says [PlayOf] alone, of
// a play that earns, until the player is erased.

// SentPlay says in [PlaysKey] that a play was sent; id is already a digest. It stands
// before the plays of all players, and is none of them.
func SentPlay(id string) string { return sent + id }

// IsSentPlay reports whether an entry of [PlaysKey] is a [SentPlay].
func IsSentPlay(entry string) bool { return strings.HasPrefix(entry, sent) }

const sent = "!"

// AnswerField is where [DetailsKey] has the answer to a play. No id of a player looks
// like it.
func AnswerField(id string) string { return sent + id }

// TurnKey says who is at a play that was sent and has no answer.
func TurnKey(id string) string { return "turn:" + id }
