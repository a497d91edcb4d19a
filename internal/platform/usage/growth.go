package usage

import (
	"maps"
	"strings"

	"github.com/framedle/leaderboards/internal/platform/price"
)

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
