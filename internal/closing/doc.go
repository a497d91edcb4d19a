// Package closing is what time does to the boards: days close and are
// archived, weeks and months close and are remembered, a lost Redis is made
// again from Postgres and held against it.
//
// It knows the boards (package board) and the archive (package archive) and
// brings the two together; each run is told the time. It must not know HTTP,
// who fires it, or where it runs. Every job may run any number of times, late,
// twice at once, or be cut off anywhere, and ends with the same boards and
// rows.
package closing
