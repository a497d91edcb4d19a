package client

import (
	"context"
	"net/http"
	"net/url"
)

// Usage is what the deployment has spent, by day.
type Usage struct {
	Days           []UsageDay   `json:"days"`
	ProjectedMonth int64        `json:"projected_month"`
	Plan           UsagePlan    `json:"plan"`
	Bill           UsageBill    `json:"bill"`
	Budget         *UsageBudget `json:"budget"`  // nil: the game has none
	WhatIf         *UsageWhatIf `json:"what_if"` // nil: no score shows how many play
}

// UsageWhatIf is what a month would cost with other numbers of daily players.
type UsageWhatIf struct {
	Players float64         `json:"players"` // daily players now
	Guessed bool            `json:"guessed"` // from scores
	Month   UsageMonthParts `json:"month"`
	Months  []UsageMonth    `json:"months"`
}

// UsageMonthParts are a month's commands: a fixed number, and a number for each daily player.
type UsageMonthParts struct {
	Fixed   float64 `json:"fixed"`
	APlayer float64 `json:"a_player"`
}

// UsageMonth is the cost of a month with so many daily players.
type UsageMonth struct {
	Players                 int64             `json:"players"`
	Commands                int64             `json:"commands"`
	Dollars                 float64           `json:"dollars"`
	DollarsWithoutFreeTiers float64           `json:"dollars_without_free_tiers"`
	CommandsDollars         float64           `json:"commands_dollars"` // of the commands alone, paid as you go
	Plans                   map[string]string `json:"plans"`            // by vendor
}

// UsagePlan is Upstash's plan.
type UsagePlan struct {
	Commands int64   `json:"commands"` // 0: Redis is not Upstash's and bills none
	Share    float64 `json:"share"`    // of the projected month; 1 is all of it
}

// UsageBill is next month's bill.
type UsageBill struct {
	Prices                  string            `json:"prices"` // the date of the price list
	Dollars                 float64           `json:"dollars"`
	DollarsWithoutFreeTiers float64           `json:"dollars_without_free_tiers"`
	Plans                   map[string]string `json:"plans"` // by vendor
	Lines                   []UsageBillLine   `json:"lines"`
	NotCounted              []string          `json:"not_counted"`
}

// UsageBillLine is one item of a bill.
type UsageBillLine struct {
	Vendor                  string  `json:"vendor"`
	Item                    string  `json:"item"`
	Quantity                float64 `json:"quantity"`
	Unit                    string  `json:"unit"`
	Dollars                 float64 `json:"dollars"`
	DollarsWithoutFreeTiers float64 `json:"dollars_without_free_tiers"`
}

// UsageDay is one day, in UTC.
type UsageDay struct {
	Date       string                   `json:"date"`
	Commands   int64                    `json:"commands"` // billed
	RoundTrips int64                    `json:"round_trips"`
	Upstash    *int64                   `json:"upstash"` // as Upstash has counted them; nil: not known
	Drift      *float64                 `json:"drift"`
	Drifts     bool                     `json:"drifts"` // by more than 5%
	ByFunction map[string]FunctionUsage `json:"by_function"`
	ByRoute    map[string]UsageShare    `json:"by_route"`    // if asked for by route
	ByCaller   map[string]UsageShare    `json:"by_caller"`   // if asked for by caller
	BySchedule map[string]UsageShare    `json:"by_schedule"` // if asked for by schedule
}

// UsageShare is a part of a day.
type UsageShare struct {
	Calls      int64  `json:"calls"`
	Commands   int64  `json:"commands"`
	RoundTrips int64  `json:"round_trips"`
	Budget     *int64 `json:"budget"`    // largest number of commands that one call of the route may cost
	Failed     *int64 `json:"failed"`    // as Throttled, for routes; nil for days read from the archive
	Throttled  *int64 `json:"throttled"` // answered with 429 or 503
}

// FunctionUsage is one function's part of a day.
type FunctionUsage struct {
	Calls         int64 `json:"calls"`
	Commands      int64 `json:"commands"`
	RoundTrips    int64 `json:"round_trips"`
	BytesSent     int64 `json:"bytes_sent"`
	BytesReceived int64 `json:"bytes_received"`
	Failed        int64 `json:"failed"`
	Throttled     int64 `json:"throttled"`
	Replayed      int64 `json:"replayed"`
	Accepted      int64 `json:"accepted"`
	Queries       int64 `json:"queries"` // to Postgres
	Rows          int64 `json:"rows"`
}

// UsageBudget is the state of the game's budget.
type UsageBudget struct {
	Month       int64    `json:"month"`
	MonthBefore int64    `json:"month_before"` // spent on the days of this month before today
	Today       int64    `json:"today"`
	Allowance   int64    `json:"allowance"` // for today
	ByNow       int64    `json:"by_now"`
	Pace        float64  `json:"pace"`
	Level       int      `json:"level"` // the level of degradation in force
	Degraded    []string `json:"degraded"`
}

// UsageOf says which usage to read.
type UsageOf struct {
	Days    int    // 1 to 90; 0 for 30
	By      string // what each day is broken down by besides functions: route, caller, schedule, or ""
	Players int    // number of daily players now, for WhatIf; 0 to guess it
}

// Usage reads the cost of the last days.
func (o Ops) Usage(ctx context.Context, of UsageOf) (Usage, error) {
	q := url.Values{}
	setNumber(q, "days", of.Days)
	setText(q, "by", of.By)
	setNumber(q, "players", of.Players)
	return askOps[Usage](ctx, o, http.MethodGet, "/v1/ops/usage", q, nil)
}
