package usage

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/trace"
	"github.com/framedle/leaderboards/upstash"
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

// Caller is who made a call: the kind of caller and, for a game server, its signing key.
// Counts name nobody else.
type Caller struct {
	Kind Kind
	ID   string // of a game server's signing key
}

// Kind is a kind of caller.
type Kind string

// The kinds of callers.
const (
	Player    Kind = "player" // one who has signed in
	Server    Kind = "server" // a game server that signs
	Operator  Kind = "operator"
	Clerk     Kind = "clerk"     // sends webhooks
	Anonymous Kind = "anonymous" // callers without a credential, and devices
	Schedule  Kind = "schedule"
	Queue     Kind = "queue"   // the function that writes the queue's scores
	Viewers   Kind = "viewers" // of live boards, all together
	// itself is the caller of what counting spends.
	itself Kind = "counters"
)

// Unknown is the route and the caller of counts that an earlier version has written.
const Unknown = "unknown"

// label is how counts name the caller. It has no colon, since colons separate the parts of a
// field's name.
func (c Caller) label() string {
	if c.Kind == Server {
		return string(Server) + " " + c.ID
	}
	return string(c.Kind)
}

// CalledBy reports to the Watch of this context who has made the call. Without a Watch it does
// nothing.
func CalledBy(ctx context.Context, c Caller) {
	if t, ok := ctx.Value(tallyKey{}).(*tally); ok {
		t.caller.Store(&c)
	}
}

// tally counts what a call spends and reports while it runs.
type tally struct {
	redis    upstash.Meter
	postgres trace.QueryMeter
	accepted atomic.Int64
	drift    atomic.Pointer[float64]
	caller   atomic.Pointer[Caller]
	problems atomic.Int64
	outlasts outlasting
}

type tallyKey struct{}

// attach returns a context whose use is counted.
func (t *tally) attach(ctx context.Context) context.Context {
	return context.WithValue(trace.WithQueries(upstash.WithMeter(ctx, &t.redis), &t.postgres), tallyKey{}, t)
}

// fill copies the counts into a call.
func (t *tally) fill(c *Call) {
	spent := t.redis.Totals()
	c.Commands, c.RoundTrips, c.Sent, c.Received = spent.Commands, spent.RoundTrips, spent.BytesSent, spent.BytesReceived
	c.Queries, c.Rows = t.postgres.Read()
	c.Accepted, c.Drift, c.Problems = t.accepted.Load(), t.drift.Load(), t.problems.Load()
	if who := t.caller.Load(); who != nil {
		c.Caller = *who
	}
}

// Accepted reports to the Watch of this context how many scores have changed a board. Without
// a Watch it does nothing.
func Accepted(ctx context.Context, scores int) {
	if t, ok := ctx.Value(tallyKey{}).(*tally); ok {
		t.accepted.Add(int64(scores))
	}
}

// ReportDrift reports to the Watch of this context by which part a day's two figures differ,
// in either direction: 0.05 becomes 5 percent. Without a Watch it does nothing.
func ReportDrift(ctx context.Context, part float64) {
	if t, ok := ctx.Value(tallyKey{}).(*tally); ok {
		percent := 100 * math.Abs(part)
		t.drift.Store(&percent)
	}
}

// ReportProblem reports to the Watch of this context that something is wrong with the product.
// Without a Watch it does nothing.
func ReportProblem(ctx context.Context) {
	if t, ok := ctx.Value(tallyKey{}).(*tally); ok {
		t.problems.Add(1)
	}
}
