package usage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/platform/price"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

func TestThePricesAreTheLists(t *testing.T) {
	l, err := price.Current()
	require.NoError(t, err)
	each := l.Meter("Upstash", "pay as you go", price.RedisCommands)
	require.InDelta(t, each.Dollars/each.Per, usage.DollarsPerCommand, 1e-12)
	require.InDelta(t, usage.FreePlan, l.Meter("Upstash", "free", price.RedisCommands).Most, 1e-9)
}

// A month is made of the same days as the projection of commands, and more calls
// never make it cheaper.
func TestAMonthFollowsItsDays(t *testing.T) {
	l, err := price.Current()
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		var days, doubled []usage.Day
		for i := range rapid.IntRange(1, 12).Draw(t, "days") {
			d := usage.Day{Date: today.AddDays(i), ByFunction: map[string]usage.Count{}, Lambda: map[string]usage.Lambda{}}
			twice := usage.Day{Date: d.Date, ByFunction: map[string]usage.Count{}, Lambda: d.Lambda}
			for _, function := range []string{"submit", "leaderboard", "enqueue", "ingest", "cron-daily"} {
				n := rapid.Int64Range(0, 1_000_000).Draw(t, function)
				c := usage.Count{Calls: n, Commands: 2 * n, Sent: 100 * n, Received: 200 * n}
				if n == 0 {
					continue
				}
				d.ByFunction[function] = c
				c.Add(c)
				twice.ByFunction[function] = c
				if rapid.Bool().Draw(t, "known") {
					d.Lambda[function] = usage.Lambda{Calls: n, Requests: n, Milliseconds: 5 * n, Memory: 5 * 256 * n, ColdStarts: 1, Logged: 200 * n, Answered: 300 * n, Awake: n / 10}
				}
			}
			days, doubled = append(days, d), append(doubled, twice)
		}
		m, known := usage.Month(days)
		require.InDelta(t, float64(usage.ProjectMonth(days)), m.Commands, 1e-9)
		if !known {
			require.Empty(t, m.Functions)
			return
		}
		require.LessOrEqual(t, m.PostgresHours, 24*price.DaysOfMonth*0.25)
		for name, f := range m.Functions {
			require.InDelta(t, 5, f.Milliseconds, 1e-9, name)
			require.InDelta(t, 256, f.MemoryMB, 1e-9, name)
		}
		less, err := l.Bill(m.Quantities(), price.Choice{})
		require.NoError(t, err)
		more, _ := usage.Month(doubled)
		dearer, err := l.Bill(more.Quantities(), price.Choice{})
		require.NoError(t, err)
		require.GreaterOrEqual(t, dearer.Total, less.Total-1e-9)
	})
}

func TestAMonthOfNothing(t *testing.T) {
	m, known := usage.Month(nil)
	require.False(t, known)
	require.Equal(t, price.Month{}, m)
	_, known = usage.Month([]usage.Day{{Date: today}})
	require.False(t, known)
}
