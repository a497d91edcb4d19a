package usage

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

const (
	// MostDrift is by which part of the larger figure a day's two figures may differ. Beyond
	// it an operator should find out why.
	MostDrift = 0.05
	// worthComparing is how many commands the larger figure of a day must have. On a smaller
	// day, one process that ended before it reported can make a difference of more than 5%.
	worthComparing = 1000
	// checkedDays is how many days that are over are compared: Upstash reports five, today
	// included.
	checkedDays = 4
)

// Check is both figures of a day: the product's and Upstash's.
type Check game.UsageCheck

// Drift is how far the product's figure is from Upstash's, as a part of the larger one: -0.1
// says that the product's lacks one command in ten. A day on which both figures are below 1,000
// is not compared.
func (c Check) Drift() (part float64, compared bool) {
	larger := max(c.Counted, c.Upstash)
	if larger < worthComparing {
		return 0, false
	}
	return float64(c.Counted-c.Upstash) / float64(larger), true
}

// Drifts reports whether the figures differ by more than MostDrift.
func (c Check) Drifts() bool {
	part, _ := c.Drift()
	return math.Abs(part) > MostDrift
}

// Check compares the counters of the last 4 days that are over with Upstash's figures, and
// keeps both in the archive, if there is one. A day without counters counts as 0; a day that
// Upstash does not report is left out. The newest day comes last.
//
// Cost: 1 round trip and 4 billed commands; 3 queries.
func (l *Ledger) Check(ctx context.Context, now time.Time, upstash map[game.Date]int64) ([]Check, error) {
	today := game.DateOf(now)
	days, err := l.Days(ctx, today.AddDays(-checkedDays), today)
	if err != nil {
		return nil, err
	}
	var checks []Check
	for _, d := range days[:len(days)-1] {
		if billed, got := upstash[d.Date]; got {
			checks = append(checks, Check{d.Date, d.Total().Commands, billed, now})
		}
	}
	if l.archive == nil || len(checks) == 0 {
		return checks, nil
	}
	if err := l.archive.KeepChecks(ctx, checks); err != nil {
		return nil, fmt.Errorf("archive both figures of days: %w", err)
	}
	return checks, nil
}
