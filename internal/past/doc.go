// Package past brings a game's past from files into the archive, and has the
// boards hold it as if every day had been played and closed here.
//
// It knows files of plays, how a day's plays leave one standing entry for each
// player, what is on disk meanwhile, and in which order the archive and the
// boards take it in. It must not know SQL, Redis or how boards are made: that is
// the work of packages archive and closing.
//
// # How a run goes
//
// Every line is read, checked and sorted on disk by day, mode, player and time.
// The plays of a player's day leave what stands; those entries are held against
// what the archive and Redis have of their days. Nothing has been written until
// then. Days that have left Redis are written into the archive, each with how far
// it is, so that a run which is cut off goes on there. In the end the boards are
// made, with the locks of the schedules.
//
// Memory holds 64 MiB of lines, and the players of one day.
package past
