// Package costday plays a whole day of a game against a real Redis and counts
// what Upstash would bill for it, by route: once through the product's own
// handlers and schedules, and once by the commands of the founding decision
// record for the same players.
//
// It knows the journey of a player, the clock of the day, and how to hold the
// meter of the client against what Redis says that it has run. It must not
// estimate: every figure of a [Day] that was played was counted. [Levers] and [Plan]
// compute what nobody has played from what was, and say so in their pages.
package costday
