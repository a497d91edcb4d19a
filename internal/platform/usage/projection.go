package usage

import (
	"cmp"
	"math"
	"time"
)

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
