// This file writes a closed board as a Parquet file, and reads it back.
//
// It knows the format and a game's values. It does not know where files are kept, which boards
// are due, or what becomes of the rows. A file depends on the board only: it contains no time
// and no machine, so the same board gives the same bytes.
//
// # The file
//
// Rows are in board order, as in Redis. Columns:
//
//	rank        int64    from 1, as the mode ranks equal scores
//	player      string
//	score       int64, or a decimal of 18 digits where the mode has places: the true score
//	value_NAME  the same, one for each value of a mode that ranks by several
//	bits        int64    what Redis holds, tie fraction included: an IEEE 754 double, bit by bit
//	scopes      string?  of a day: boards besides that of all players, as country:BR,group:red
//	scoped      string?  the entry on each of these, where one differs
//	details     string?  of a day: JSON
//
// The footer says which board it is, the rules under which it was kept, the number of rows,
// and a SHA-256 of all that.

package coldstorage
