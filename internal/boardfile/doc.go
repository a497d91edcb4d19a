// Package boardfile writes a closed board as a Parquet file, and reads one back.
//
// It knows the format and a game's values. It must not know where files are kept,
// which boards are due, or what is done with what is read. A file follows from the
// board alone: no moment and no machine is in it, so that the same board gives the
// same bytes.
//
// # The file
//
// Rows stand in the board's order, as Redis has it. Columns:
//
//	rank        int64    from 1, as the mode ranks equal scores
//	player      string
//	score       int64, or a decimal of 18 digits where the mode has places: the true score
//	value_NAME  the same, one for each value of a mode that ranks by several
//	bits        int64    what Redis holds, tie fraction included: an IEEE 754 double, bit by bit
//	scopes      string?  of a day: boards besides that of all players, as country:BR,group:red
//	scoped      string?  what stands on each of these, where one differs
//	details     string?  of a day: JSON
//
// The footer says which board it is, by which rules it was kept, how many rows
// there are, and a SHA-256 of all that.
package boardfile
