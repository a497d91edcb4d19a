package game

import "strconv"

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
