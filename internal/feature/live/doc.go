// Package live sends viewers of boards the changes of the boards, as they happen.
//
// A [Hub] has the boards that somebody watches, and reads each board once for all its
// viewers. It learns from Redis itself, by [Notifications], that a board has changed, and
// reads it again: at once, then at most every half second, and always once after the last
// change. So an additional viewer costs no command, and a submission costs no additional one.
//
// It must not know HTTP, or how a board is read: a [Reader] does that.
package live
