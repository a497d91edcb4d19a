// Package live tells viewers of boards what changes on them, as it changes.
//
// A [Hub] has the boards that anybody watches, each read once for all who do. It
// learns that a board has changed from Redis itself, by [Notifications], and reads it
// again: at once, then at most every half second, and always once after the last
// change. Nobody who watches costs a command, and nobody who submits one more.
//
// It must not know HTTP, nor how a board is read: a [Reader] does that.
package live
