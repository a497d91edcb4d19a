package budget_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/platform/budget"
)

// anyTime draws a moment of some year with every length of month.
func anyTime(rt *rapid.T) time.Time {
	begin := time.Date(2027, 12, 1, 0, 0, 0, 0, time.UTC)
	return begin.Add(time.Duration(rapid.Int64Range(0, int64(400*24*time.Hour)).Draw(rt, "since")))
}

func TestPaceAtMomentsOfADay(t *testing.T) {
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 11, day, hour, minute, 0, 0, time.UTC) }
	for name, c := range map[string]struct {
		spent     budget.Spent
		at        time.Time
		allowance float64
		pace      float64
	}{
		"nothing spent":                      {budget.Spent{}, at(1, 0, 0), 1000, 0},
		"a quarter at midnight":              {budget.Spent{Today: 250}, at(1, 0, 0), 1000, 1},
		"half at noon":                       {budget.Spent{Today: 500}, at(1, 12, 0), 1000, 0.8},
		"80% at 10:00":                       {budget.Spent{Today: 800}, at(1, 10, 0), 1000, 1.4222},
		"80% at 23:50":                       {budget.Spent{Today: 800}, at(1, 23, 50), 1000, 0.8042},
		"after a dear first day":             {budget.Spent{Before: 15500, Today: 250}, at(2, 0, 0), 500, 2},
		"after a cheap first half":           {budget.Spent{Before: 7500, Today: 750}, at(16, 12, 0), 1500, 0.8},
		"all that is left, on the last day":  {budget.Spent{Before: 29000, Today: 500}, at(30, 12, 0), 1000, 0.8},
		"a month that is spent":              {budget.Spent{Before: 30000}, at(20, 12, 0), 0, budget.MostPace},
		"a month that is more than spent":    {budget.Spent{Before: 40000, Today: 7}, at(20, 12, 0), 0, budget.MostPace},
		"far beyond":                         {budget.Spent{Today: 25000}, at(1, 12, 0), 1000, budget.MostPace},
		"in another zone, the day is in UTC": {budget.Spent{Today: 250}, at(1, 0, 0).In(time.FixedZone("", -3600)), 1000, 1},
	} {
		t.Run(name, func(t *testing.T) {
			require.InDelta(t, c.allowance, budget.Allowance(30000, c.spent, c.at), 1e-9)
			require.InDelta(t, c.pace, budget.Pace(30000, c.spent, c.at), 1e-4)
		})
	}
}

func TestPaceGrowsWithWhatIsSpentAndFallsWithTimeAndMoney(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		month := rapid.Int64Range(1000, 1e12).Draw(rt, "month")
		s := budget.Spent{Before: rapid.Int64Range(0, 2*month).Draw(rt, "before"), Today: rapid.Int64Range(0, month).Draw(rt, "today")}
		at := anyTime(rt)
		more := rapid.Int64Range(0, month).Draw(rt, "more")
		pace := budget.Pace(month, s, at)
		require.GreaterOrEqual(rt, pace, 0.0)
		require.LessOrEqual(rt, pace, budget.MostPace)
		require.LessOrEqual(rt, pace, budget.Pace(month, budget.Spent{Before: s.Before, Today: s.Today + more}, at))
		require.LessOrEqual(rt, pace, budget.Pace(month, budget.Spent{Before: s.Before + more, Today: s.Today}, at))
		require.GreaterOrEqual(rt, pace, budget.Pace(month+more, s, at))
		endOfDay := at.Truncate(24 * time.Hour).Add(24*time.Hour - time.Nanosecond)
		later := at.Add(time.Duration(rapid.Int64Range(0, int64(endOfDay.Sub(at))).Draw(rt, "later")))
		require.GreaterOrEqual(rt, pace, budget.Pace(month, s, later))
	})
}

// A game that spends a part of each day's allowance, evenly over the day, never has a pace
// above that part.
func TestAnEvenDayIsNeverAheadOfItself(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		month := rapid.Int64Range(1000, 1e9).Draw(rt, "month")
		before := rapid.Int64Range(0, month-1).Draw(rt, "before")
		part := rapid.Float64Range(0, 2).Draw(rt, "part")
		at := anyTime(rt)
		day := at.Sub(at.Truncate(24*time.Hour)).Hours() / 24
		today := int64(part * day * budget.Allowance(month, budget.Spent{Before: before}, at))
		require.LessOrEqual(rt, budget.Pace(month, budget.Spent{Before: before, Today: today}, at), part+1e-9)
	})
}

// Where each day ends at a pace of 100% or below, whatever it costs, the month ends
// within its budget.
func TestDaysWithinTheirAllowanceMakeAMonthWithinItsBudget(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		month := rapid.Int64Range(1000, 1e9).Draw(rt, "month")
		first := anyTime(rt)
		first = time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, time.UTC)
		var s budget.Spent
		for at := first.Add(24*time.Hour - time.Nanosecond); at.Month() == first.Month(); at = at.Add(24 * time.Hour) {
			s.Today = rapid.Int64Range(0, int64(budget.Allowance(month, s, at))).Draw(rt, "today")
			if s.Today > 0 {
				require.LessOrEqual(rt, budget.Pace(month, s, at), 1+1e-6)
			}
			s = budget.Spent{Before: s.Before + s.Today}
		}
		require.LessOrEqual(rt, s.Before, month)
	})
}
