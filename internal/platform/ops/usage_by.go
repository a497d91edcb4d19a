package ops

import (
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// The values of ?by= of GET /v1/ops/usage.
const (
	byFunction = "function"
	byRoute    = "route"
	byCaller   = "caller"
	bySchedule = "schedule"
)

// usageKinds are all values; the first one is the default.
var usageKinds = []string{byFunction, byRoute, byCaller, bySchedule}

// usageShares is what a day cost by the requested kind of part.
type usageShares struct {
	ByRoute    map[string]usageShare `json:"by_route,omitzero"`
	ByCaller   map[string]usageShare `json:"by_caller,omitzero"`
	BySchedule map[string]usageShare `json:"by_schedule,omitzero"`
}

type usageShare struct {
	Calls      int64 `json:"calls"`
	Commands   int64 `json:"commands"`
	RoundTrips int64 `json:"round_trips"`
	// Failed and Throttled are nil for days from the archive.
	Failed    *int64 `json:"failed,omitempty"`
	Throttled *int64 `json:"throttled,omitempty"`
	// Budget is the most that a request of the route costs in the steady state; nil if the
	// part is not a route.
	Budget *int64 `json:"budget,omitempty"`
}

// usageBy reads the kind of part by which to split the answer.
func usageBy(q *decode.Query) string {
	text := q.Text("by")
	if text == "" {
		return byFunction
	}
	if !slices.Contains(usageKinds, text) {
		q.Fault("by", "this must be one of "+strings.Join(usageKinds, ", "))
	}
	return text
}

// sharesOf splits a day by one kind of part.
func (u usages) sharesOf(d usage.Day, by string) usageShares {
	shares := map[string]usageShare{}
	for of, c := range d.Parts {
		name := of.Route
		switch {
		case by == byCaller:
			name = of.Caller
		case by == bySchedule && of.Caller != string(usage.Schedule):
			continue
		case by == bySchedule:
			name = of.Function
		}
		s := shares[name]
		s.Calls, s.Commands, s.RoundTrips = s.Calls+c.Calls, s.Commands+c.Commands, s.RoundTrips+c.RoundTrips
		if d.Outcomes {
			s.Failed, s.Throttled = plus(s.Failed, c.Failed), plus(s.Throttled, c.Throttled)
		}
		shares[name] = s
	}
	switch by {
	case byRoute:
		for pattern, steady := range u.Steady() {
			if s, is := shares[pattern]; is {
				commands := int64(steady)
				s.Budget = &commands
				shares[pattern] = s
			}
		}
		return usageShares{ByRoute: shares}
	case byCaller:
		return usageShares{ByCaller: shares}
	case bySchedule:
		return usageShares{BySchedule: shares}
	}
	return usageShares{}
}

func plus(sum *int64, more int64) *int64 {
	if sum != nil {
		more += *sum
	}
	return &more
}
