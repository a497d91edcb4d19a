package usage

import (
	"fmt"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// Call is one invocation of a function.
type Call struct {
	Route      string // the pattern that was served, in printable ASCII; "other" for stray requests
	Caller     Caller
	Status     int // as in HTTP; 200 and 500 for scheduled runs
	Duration   time.Duration
	Commands   int64 // billed
	RoundTrips int64
	Sent       int64 // bytes to Redis, bodies alone
	Received   int64 // bytes from Redis, bodies alone
	Queries    int64 // to Postgres
	Rows       int64 // that Postgres returned or changed
	Accepted   int64 // scores that changed a board
	Cold       bool  // the first of its process
	Replayed   bool  // answered with the record of an idempotency key
	// Drift is by how many percent the product's and Upstash's figures of a day differ. Only
	// cron-usage reports it.
	Drift *float64
	// Problems is how many problems the product has found in itself. Only cron-daily and
	// cron-save report them.
	Problems int64
	Level    int // how many of the budget's measures were in force, 0 to 3
	// RequestID is the host's id of the request, which problems name too; empty: none.
	RequestID string
	// TraceID names the call's trace, if a service keeps it; empty: none does.
	TraceID  string
	Answered int64 // bytes of the answer's body
	Logged   int64 // bytes of the call's line
	request  bool  // of HTTP
}

// Count is what a call adds to the counters.
func (c Call) Count() Count {
	return Count{
		Calls: 1, Commands: c.Commands, RoundTrips: c.RoundTrips, Sent: c.Sent, Received: c.Received,
		Failed: one(c.failed()), Throttled: one(c.throttled()), Replayed: one(c.Replayed),
		Accepted: c.Accepted, Queries: c.Queries, Rows: c.Rows,
	}
}

// failed reports whether the server, not the caller, made the call fail.
func (c Call) failed() bool { return c.Status >= 500 }

// throttled reports whether the call was refused for a while: for a limit, or because Redis
// refuses.
func (c Call) throttled() bool { return c.Status == 429 || c.Status == 503 }

func one(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// Count is the sum of calls.
type Count game.UsageCount

// fewestNumbers is how many numbers a count of an earlier version has.
const fewestNumbers = 8

func (c *Count) fields() [11]*int64 {
	return [...]*int64{
		&c.Calls, &c.Commands, &c.RoundTrips, &c.Sent, &c.Received, &c.Failed, &c.Throttled, &c.Replayed,
		&c.Accepted, &c.Queries, &c.Rows,
	}
}

// Add adds another count. A number that would overflow stays at the largest int64.
func (c *Count) Add(more Count) {
	into, from := c.fields(), more.fields()
	addNumbers(into[:], from[:])
}

// String packs a count into eleven decimal numbers, in the order of its fields.
func (c Count) String() string {
	all := c.fields()
	return packNumbers(all[:])
}

// ParseCount reads what String packs: eleven numbers from 0 on, with one space between two. It
// also takes eight, because processes of an earlier version may write at the same time.
func ParseCount(text string) (Count, error) {
	var c Count
	fields := c.fields()
	numbers := strings.Split(text, " ")
	if len(numbers) != len(fields) && len(numbers) != fewestNumbers {
		return Count{}, fmt.Errorf("%.80q has %d numbers; a count has %d", text, len(numbers), len(fields))
	}
	if wrong := unpackNumbers(numbers, fields[:]); wrong > 0 {
		return Count{}, fmt.Errorf("%.80q is no count: number %d must be whole and not below 0", text, wrong)
	}
	return c, nil
}
