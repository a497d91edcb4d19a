package usage

import (
	"cmp"
	"context"
	"maps"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/platform/price"
)

const (
	// The functions at both ends of the queue.
	enqueue, ingest = "enqueue", "ingest"
	// logDays is the template's default for LogRetentionDays.
	logDays = 14
	// Neon sleeps after 5 minutes without a query and is billed by its smallest
	// size, a quarter of a CU: https://neon.com/docs/introduction/plans
	awakeHours, leastCU = 5.0 / 60, 0.25
	// mostAwake is what a month takes in which Neon never sleeps, in CU-hours.
	mostAwake = 24 * price.DaysOfMonth * leastCU
)

// Month is what a whole month takes at the pace of ProjectMonth. What a call takes of Lambda is
// the mean of the last 8 days of which that is known. isKnown reports whether there are any; if
// not, Month has only what Redis is asked.
//
// Month does not know how much is stored. It assumes that Postgres wakes for each call that
// asks it, so the hours of Postgres are the most that is possible.
func Month(days []Day) (m price.Month, isKnown bool) {
	if len(days) == 0 {
		return price.Month{}, false
	}
	today := days[len(days)-1]
	over := recent(days)
	scale := toMonth(len(over), today)
	calls := map[string]float64{}
	for _, d := range over {
		for function, c := range d.ByFunction {
			calls[function] += float64(c.Calls) * scale
			m.RedisSent += float64(c.Sent) * scale
			m.RedisBytes += float64(c.Sent+c.Received) * scale
		}
	}
	m.Commands = float64(ProjectMonth(days))
	of, all := lambdaOf(days[max(0, len(days)-ProjectionDays):])
	if all.Calls == 0 {
		return m, false
	}
	m.Functions = map[string]price.Function{}
	m.Metrics, m.AlarmMetrics, m.Dashboards = float64(price.Deployed.Metrics), float64(price.Deployed.AlarmMetrics), float64(price.Deployed.Dashboards)
	m.LogDays, m.LogLineBytes = logDays, perCall(all.Logged, all)
	awake := 0.0
	for function, n := range calls {
		known := of[function]
		if known.Calls == 0 { // the function ran on an earlier version, or not on Lambda yet
			known = all
		}
		f := price.Function{
			Calls: n, Milliseconds: perCall(known.Milliseconds, known), ColdStarts: n * perCall(known.ColdStarts, known), InitMS: price.InitMS,
		}
		if known.Milliseconds > 0 {
			f.MemoryMB = float64(known.Memory) / float64(known.Milliseconds)
		}
		f.Gateway = known.Requests > 0
		if !f.Gateway && function != ingest {
			m.Runs += n
		}
		m.Functions[function] = f
		m.AnswerBytes += n * perCall(known.Answered, known)
		awake += n * perCall(known.Awake, known)
	}
	m.PostgresHours = min(awake*awakeHours*leastCU, mostAwake)
	if m.Queued = calls[enqueue]; m.Queued > 0 {
		m.HasQueue = true
		m.AlarmMetrics += float64(price.Deployed.QueueAlarmMetrics)
	}
	return m, true
}

// lambdaOf adds up what AWS bills for days: for each function, and for all.
func lambdaOf(days []Day) (of map[string]Lambda, all Lambda) {
	of = map[string]Lambda{}
	for _, d := range days {
		for function, l := range d.Lambda {
			sum := of[function]
			sum.Add(l)
			of[function] = sum
			all.Add(l)
		}
	}
	return of, all
}

// perCall is the mean of a call.
func perCall(sum int64, l Lambda) float64 {
	if l.Calls == 0 {
		return 0
	}
	return float64(sum) / float64(l.Calls)
}

// FreePlan is how many commands a month Upstash's free plan includes. DollarsPerCommand is the
// pay-as-you-go price. A test compares both with the list of package price.
const (
	FreePlan          = 500_000
	DollarsPerCommand = 0.20 / 100_000
)

// NoPlan is the plan of a Redis of one's own, which bills no commands.
const NoPlan = -1

// Included is how many commands a month a plan includes; 0: there is none. A plan of 0 is the
// free one.
func Included(plan int64) int64 { return max(0, cmp.Or(plan, FreePlan)) }

// Share is how much of the included commands a month takes, 1 for all of them; 0 without a plan.
func Share(month, included int64) float64 {
	if included == 0 {
		return 0
	}
	return float64(month) / float64(included)
}

// ProjectionDays is how many days a projection needs, today included.
const ProjectionDays = recentDays + 1

// recentDays is how many days a projection looks back.
const recentDays = 7

// recent are the last 7 days that are over, without those before the first one with calls. If
// none is left, it is today alone. The days are oldest first, and the last one is today.
func recent(days []Day) []Day {
	today := len(days) - 1
	over := days[max(0, today-recentDays):today]
	for len(over) > 0 && len(over[0].ByFunction) == 0 {
		over = over[1:]
	}
	if len(over) == 0 {
		return days[today:]
	}
	return over
}

// toMonth is the factor that turns the sum of that many days into the sum of today's month.
func toMonth(days int, today Day) float64 {
	year, month, _ := today.Date.Midnight().Date()
	return float64(time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()) / float64(days)
}

// ProjectMonth is how many commands a whole month costs at the pace of the last 7 days that
// are over, without those before the first one with calls. If none is left, it takes each day
// to cost what today has cost so far. The days are oldest first, and the last one is today.
func ProjectMonth(days []Day) int64 {
	if len(days) == 0 {
		return 0
	}
	over, commands := recent(days), 0.0
	for _, d := range over {
		commands += float64(d.Total().Commands)
	}
	return int64(math.Round(commands * toMonth(len(over), days[len(days)-1])))
}

// Gauge is a figure of the product's state. Those of one name have the same help and label.
type Gauge struct {
	Name, Help string // the name without leaderboards_
	Label, Of  string // such as schedule and cron-daily; empty: none
	Value      float64
}

// Exporter adds up a process's calls and shows them to who asks, or sends them to who is to have
// them. It is safe for concurrent use.
type Exporter interface {
	Recorder
	// Handler also serves the sums and the gauges, read again each time (nil: none). Next serves
	// everything else.
	Handler(read func(context.Context) []Gauge, next http.Handler) http.Handler
	// Close sends the last sums, where they are sent.
	Close(ctx context.Context)
}

// Growth splits what a month takes into a part that grows with the number of players and one
// that does not.
type Growth struct {
	Now   price.Quantities // as Month has it
	Fixed price.Quantities // the part that does not grow: schedules, the operator, and what every deployment has
	// Accepted is how many scores a day change a board.
	Accepted float64
	IsLambda bool // see Month
}

// Grow splits a month at the pace of ProjectMonth. It counts all that schedules take as fixed,
// although it grows a little with the number of players.
func Grow(days []Day) Growth {
	if len(days) == 0 {
		return Growth{}
	}
	month, isLambda := Month(days)
	still := make([]Day, len(days))
	for i, d := range days {
		still[i] = d
		still[i].ByFunction = maps.Clone(d.ByFunction) // with all functions, so that Month takes the same days
		for function := range d.ByFunction {
			if !isStill(function) {
				still[i].ByFunction[function] = Count{}
			}
		}
	}
	fixed, _ := Month(still)
	fixed.HasQueue, fixed.AlarmMetrics = month.HasQueue, month.AlarmMetrics
	g := Growth{Now: month.Quantities(), Fixed: fixed.Quantities(), IsLambda: isLambda}
	over := recent(days)
	for _, d := range over {
		g.Accepted += float64(d.Total().Accepted) / float64(len(over))
	}
	return g
}

// isStill reports whether what a function takes does not depend on the number of players.
func isStill(function string) bool { return function == "ops" || strings.HasPrefix(function, "cron-") }

// Times is what the month takes with factor times as many players.
func (g Growth) Times(factor float64) price.Quantities {
	q := price.Quantities{}
	for item, now := range g.Now {
		q[item] = g.Fixed[item] + factor*(now-g.Fixed[item])
	}
	// Postgres cannot be awake for more than the whole month.
	q[price.PostgresHours] = min(q[price.PostgresHours], mostAwake)
	return q
}
