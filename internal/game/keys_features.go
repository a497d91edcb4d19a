package game

import (
	"strconv"
	"strings"
)

// Keys of what a game may have besides boards: homes, plays and bands.

// HomesKey is a hash of a date: player -> the Unix milliseconds of the first act, and the
// group of that act, to which the player's date belongs; and under [HomePrints] what a group's
// boards were written with.
func HomesKey(d Date) string { return "acts:homes:" + d.String() }

// HomePrints is the field of [HomesKey] that says what a group's boards were written with. No
// id of a player is like it.
func HomePrints(group string) string { return "=" + group }

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

// HeldKey is a hash of the plays that are kept off the boards until an operator has
// looked at them: player, moment and nonce -> the play.
const HeldKey = "held"

// BandsKey is the layout of a board that is kept in bands: which band holds which
// scores, and where, as JSON.
func BandsKey(board string) string { return "bands:" + board }

// BandCountsKey is how many players each band of a board had at the last count, as JSON.
func BandCountsKey(board string) string { return "bands:counts:" + board }

// BandTurnKey is set by the process that counts a board's bands.
func BandTurnKey(board string) string { return "bands:turn:" + board }

// BandLooseKey is a sorted set: players of a board who may be in a band that is not theirs, by
// the Unix milliseconds since when.
func BandLooseKey(board string) string { return "bands:loose:" + board }

// BandKey is a sorted set: the players of a board whose stored scores are in one
// band. Numbers are never used again.
func BandKey(board string, number int64) string {
	return "band:" + board + ":" + strconv.FormatInt(number, 10)
}

// BandHomesKey is a sorted set: player -> stored score, for one share of a board's players,
// whichever band they are in.
func BandHomesKey(board string, share int) string {
	return "homes:" + board + ":" + strconv.Itoa(share)
}

// BandCarriedKey is how far the days have been carried into a board that is kept in
// bands: a date and a page.
func BandCarriedKey(board string) string { return "bands:carried:" + board }

// PlaysKey is a sorted set, all with score 0, of one mode and day: a [SentPlay] of each
// play that was sent, and, if plays are counted (see [Mode.CountsPlays]), a [PlayOf]
// of each that was accepted. It lives as long as the day's board.
func PlaysKey(mode string, d Date) string { return "plays:" + mode + ":" + d.String() }

// PlayOf names a play of a player in [PlaysKey]. No id of a player has a space in it.
func PlayOf(player, play string) string { return player + " " + play }

// PlaysOf is the range of a player's plays in [PlaysKey], as ZLEXCOUNT takes it: '!' follows
// the space.
func PlaysOf(player string) (first, last string) { return "[" + player + " ", "(" + player + "!" }

// EarnedThrough, in the hash of [ClosedKey], is the newest day that is completely in
// [EarnedKey].
const EarnedThrough = "earned"

// RacesOfKey is a sorted set of a player's newest races, by the milliseconds of
// when they took a seat.
func RacesOfKey(player string) string { return "races:of:" + player }
