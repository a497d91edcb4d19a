package client

import (
	"context"
	"net/http"
	"time"
)

// Health is whether the stores answer.
type Health struct {
	Redis    string `json:"redis"`    // ok; else the answer is a problem
	Database string `json:"database"` // ok, none, behind or unreachable
	Detail   string `json:"detail"`
	Address  string `json:"address"` // the caller's address, as limits see it
	// RedisMilliseconds is how long Redis took to answer.
	RedisMilliseconds float64 `json:"redis_milliseconds"`
	Keys              *int64  `json:"keys"`     // number of keys in Redis, if asked for; else nil
	Version           string  `json:"version"`  // of the build that answers
	Revision          string  `json:"revision"` // its commit; empty: not known
	// Operator is who asks.
	Operator struct {
		Actor string `json:"actor"` // as in the log: operator, or operator NAME
		Role  string `json:"role"`  // read, moderate or administer
	} `json:"operator"`
}

// Health asks whether Redis and the database answer. If Redis does not, the error is a
// [*Problem] with status 503, after all attempts.
func (o Ops) Health(ctx context.Context) (Health, error) {
	return askOps[Health](ctx, o, http.MethodGet, "/v1/ops/health", nil, nil)
}

// Status is the state of the whole deployment.
type Status struct {
	Now         time.Time         `json:"now"`
	Game        string            `json:"game"`
	Version     string            `json:"version"`
	Good        bool              `json:"good"` // there are no problems
	Problems    []StatusProblem   `json:"problems"`
	Redis       StatusRedis       `json:"redis"`
	DeadLetters StatusDeadLetters `json:"dead_letters"`
	Writes      StatusWrites      `json:"writes"`
	Database    StatusDatabase    `json:"database"`
	Schedules   []StatusSchedule  `json:"schedules"`
	Days        StatusDays        `json:"days"`
	Spent       StatusSpent       `json:"spent"`
	// Repaired is how the newest repair of boards that Redis had lost ended; nil: there was
	// none.
	Repaired *Run `json:"repaired,omitempty"`
	// Webhooks are the lanes of webhooks, if the game has any.
	Webhooks []StatusWebhook `json:"webhooks,omitempty"`
}

// StatusWebhook is the lane of one endpoint and one kind of event.
type StatusWebhook struct {
	Endpoint string     `json:"endpoint"`
	Event    string     `json:"event"`
	Waiting  int64      `json:"waiting"`  // events not delivered yet
	Dead     int64      `json:"dead"`     // events given up
	Failures int64      `json:"failures"` // in a row
	Error    string     `json:"error"`    // the error of the last failure; empty: none
	Oldest   *time.Time `json:"oldest"`   // since when the oldest waiting event waits; nil: none waits
}

// StatusProblem is something that is wrong, and what to do about it.
type StatusProblem struct {
	What string `json:"what"`
	Do   string `json:"do"`
}

// StatusRedis is how the answering process sees Redis.
type StatusRedis struct {
	Circuit   string    `json:"circuit"`  // closed, or open while calls fail at once
	Failures  int64     `json:"failures"` // calls in a row that were not answered
	Since     time.Time `json:"since"`    // of the first failure; zero: none
	LastError string    `json:"last_error"`
}

// StatusDeadLetters are messages that wait for an operator; nil: their number is not known.
type StatusDeadLetters struct {
	FailedRuns   *int64 `json:"failed_runs"`
	QueuedScores *int64 `json:"queued_scores"`
}

// StatusWrites is whether writes are accepted.
type StatusWrites struct {
	Taken        bool               `json:"taken"`
	Maintenance  *StatusMaintenance `json:"maintenance"` // nil: none
	RefusedRules []string           `json:"refused_rules"`
}

// StatusMaintenance is the maintenance in force; its times are zero if it was deployed.
type StatusMaintenance struct {
	Since  time.Time `json:"since"`
	Until  time.Time `json:"until"`
	Reason string    `json:"reason"`
}

// StatusDatabase is the state of the history's database.
type StatusDatabase struct {
	State  string `json:"state"`  // ok, none, empty, behind, failing or unreachable
	Schema int    `json:"schema"` // its newest migration
	Needs  int    `json:"needs"`  // the newest migration that the deployment needs
}

// StatusSchedule is a scheduled function.
type StatusSchedule struct {
	Function string    `json:"function"`
	Last     *Run      `json:"last"` // nil: none
	LastGood *Run      `json:"last_good"`
	Next     time.Time `json:"next"`
	Late     bool      `json:"late"`
}

// Run is how a scheduled run ended.
type Run struct {
	Due          time.Time `json:"due"`
	Ended        time.Time `json:"ended"`
	Milliseconds int64     `json:"milliseconds"`
	Error        string    `json:"error"` // "" where it ended well
}

// StatusDays are days by mode and date, as in "daily_frame 2026-11-21".
type StatusDays struct {
	Open       []string `json:"open"` // dates that take scores now
	Unclosed   []string `json:"unclosed"`
	Unarchived []string `json:"unarchived"`
	Missing    []string `json:"missing"`
	Lost       []string `json:"lost"`
	Archived   string   `json:"archived"` // the newest date that is complete in the history
}

// StatusSpent are billed commands.
type StatusSpent struct {
	Today          int64    `json:"today"`
	ProjectedMonth int64    `json:"projected_month"`
	Plan           int64    `json:"plan"`
	Share          float64  `json:"share"` // of the plan; 1 is all of it
	Drift          *float64 `json:"drift"` // from Upstash's own count; nil: not compared
	Degraded       []string `json:"degraded"`
}

// Status reads the state of everything, what is wrong, and what to do.
func (o Ops) Status(ctx context.Context) (Status, error) {
	return askOps[Status](ctx, o, http.MethodGet, "/v1/ops/status", nil, nil)
}
