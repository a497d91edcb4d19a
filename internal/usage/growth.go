package usage

import (
	"maps"
	"strings"

	"github.com/framedle/leaderboards/internal/price"
)

// Growth is a month, split into what grows with its players and what does not.
type Growth struct {
	Now   price.Quantities // as Month has it
	Fixed price.Quantities // the part that does not grow: of schedules and the operator, and what is there however many play
	// Accepted are the scores a day that changed a board.
	Accepted float64
	IsLambda bool // see Month
}

// Grow splits a month, at the pace of ProjectMonth. What schedules take grows a little with
// the players too; here it does not.
func Grow(days []Day) Growth {
	if len(days) == 0 {
		return Growth{}
	}
	month, isLambda := Month(days)
	still := make([]Day, len(days))
	for i, d := range days {
		still[i] = d
		still[i].ByFunction = maps.Clone(d.ByFunction) // with all its functions, so that the same days count
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

// isStill reports whether a function takes the same however many play.
func isStill(function string) bool { return function == "ops" || strings.HasPrefix(function, "cron-") }

// Times is the month with so many times as many players.
func (g Growth) Times(factor float64) price.Quantities {
	q := price.Quantities{}
	for item, now := range g.Now {
		q[item] = g.Fixed[item] + factor*(now-g.Fixed[item])
	}
	// Postgres wakes no more often than always.
	q[price.PostgresHours] = min(q[price.PostgresHours], mostAwake)
	return q
}
