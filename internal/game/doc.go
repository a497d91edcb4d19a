// Package game is the ground floor: what a game's leaderboards are, as plain values and
// arithmetic. It knows modes and their policies, civil dates and the periods that contain
// them, when a date is open and a period closed, and the names of the Redis keys. It knows how
// a score and the moment of a play become one stored number, and how ranks and percentiles are
// counted.
//
// It must not know Redis, HTTP, Postgres, files or the time of day: every
// moment comes in as an argument, and it imports the standard library only.
// Reading a game from its file is the work of package gamefile.
//
// All values are safe for concurrent use as long as nobody changes their
// fields after [New].
package game
