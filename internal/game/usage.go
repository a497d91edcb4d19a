package game

import "time"

// UsageCount is what calls add up to.
type UsageCount struct {
	Calls      int64
	Commands   int64 // billed by Upstash
	RoundTrips int64
	Sent       int64 // bytes to Redis
	Received   int64 // bytes from Redis
	Failed     int64 // answered with 500 and above
	Throttled  int64 // answered with 429 or 503
	Replayed   int64
	Accepted   int64 // scores that changed a board
	Queries    int64 // to Postgres
	Rows       int64 // that Postgres returned or changed
}

// UsageCheck is a day's billed commands, in UTC, as the product counted them and
// as Upstash did.
type UsageCheck struct {
	Date    Date
	Counted int64 // by the product
	Upstash int64
	At      time.Time // when they were compared
}
