// Package costday plays a whole day of a game over a real Redis and counts, by route,
// what Upstash would bill for it. It plays the day once through the product's own
// handlers and schedules, and once, for the same players, with the commands of the
// founding decision record.
//
// It knows the journey of a player, the clock of the day, and how to compare the client's
// meter with Redis' own statistics. It must not estimate: every value of a [Day] that was
// played was counted. [Plan] computes values for days that nobody played from those that
// were, and says so in its page.
package costday
