// Package backfill brings a game's past from files into the archive, and makes the boards contain
// it, as if every day had been played and closed here.
//
// It knows files of plays, how a day's plays become one entry for each player, what is on disk
// meanwhile, and in which order the archive and the boards take it in. It does not know SQL,
// Redis or how boards are made: packages archive and closing do that work.
//
// # How a run goes
//
// A run reads and checks every line, and sorts the lines on disk by day, mode, player and
// time. It plays the plays of each player's day, and compares the resulting entries with what
// the archive and Redis have of these days. Until then nothing is written. It writes the days
// that have left Redis into the archive, together with its progress, so that a run that is cut
// off continues there. In the end it makes the boards, under the locks of the schedules.
//
// Memory holds 64 MiB of lines, and the players of one day.
package backfill
