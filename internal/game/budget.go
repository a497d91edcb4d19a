package game

import "fmt"

// Budget is what the owner wants to spend on Redis, and which measures save commands when more
// is spent. The zero Budget is none.
type Budget struct {
	Month int64 // billed commands of a calendar month, in UTC; 1,000 to 10^12
	// At which pace each measure begins, in percent of what the budget allows: 1 to 1,000, or
	// 0 for never. Package budget explains what a pace is.
	Caches, Refresh, Features int
}

// Bounds of a budget.
const (
	minBudget = 1_000
	maxBudget = 1_000_000_000_000
	maxPace   = 1_000 // percent
)

func (c *checker) budget(b Budget) {
	if b == (Budget{}) {
		return
	}
	c.within("budget.month", float64(b.Month), minBudget, maxBudget)
	for _, measure := range []struct {
		name string
		at   int
	}{{"caches", b.Caches}, {"refresh", b.Refresh}, {"features", b.Features}} {
		if measure.at < 0 || measure.at > maxPace {
			c.add("budget.degrade."+measure.name, fmt.Sprintf("%d%% is out of range", measure.at), fmt.Sprintf("use 1%% to %d%%, or off", maxPace))
		}
	}
}
