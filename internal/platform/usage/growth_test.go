package usage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/platform/price"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// Twice the players are the month that twice their calls make, whatever the schedules
// take beside them.
func TestGrowthIsWhatMorePlayersTake(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		factor := rapid.Int64Range(1, 50).Draw(t, "factor")
		var now, then []usage.Day
		for i := range rapid.IntRange(1, 10).Draw(t, "days") {
			d := usage.Day{Date: today.AddDays(i), ByFunction: map[string]usage.Count{}, Lambda: map[string]usage.Lambda{}}
			more := usage.Day{Date: d.Date, ByFunction: map[string]usage.Count{}, Lambda: d.Lambda}
			for _, function := range []string{"submit", "leaderboard", "enqueue", "ingest", "cron-daily", "ops"} {
				n := rapid.Int64Range(0, 100_000).Draw(t, function)
				if n == 0 {
					continue
				}
				c := usage.Count{Calls: n, Commands: 2 * n, Sent: 100 * n, Received: 200 * n, Accepted: n}
				d.ByFunction[function], more.ByFunction[function] = c, c
				if function != "ops" && function != "cron-daily" {
					more.ByFunction[function] = usage.Count{Calls: n * factor, Commands: 2 * n * factor, Sent: 100 * n * factor, Received: 200 * n * factor, Accepted: n * factor}
				}
				if rapid.Bool().Draw(t, "known") {
					d.Lambda[function] = usage.Lambda{Calls: n, Requests: n, Milliseconds: 5 * n, Memory: 5 * 256 * n, ColdStarts: 1, Logged: 200 * n, Answered: 300 * n, Awake: n / 10}
				}
			}
			now, then = append(now, d), append(then, more)
		}
		grown, want := usage.Grow(now), usage.Grow(then)
		for item, q := range grown.Now {
			require.InDelta(t, q, grown.Times(1)[item], 1e-6*max(1, q), item)
			require.LessOrEqual(t, grown.Fixed[item], q+1e-9*max(1, q), item)
		}
		// Whole commands are projected, and Postgres may be awake already.
		for item, q := range want.Now {
			if item != price.PostgresHours {
				require.InDelta(t, q, grown.Times(float64(factor))[item], 1e-6*max(1, q)+float64(factor), item)
			}
		}
		require.LessOrEqual(t, grown.Times(1e9)[price.PostgresHours], 24*price.DaysOfMonth*0.25)
	})
}

func TestNothingGrowsOfNothing(t *testing.T) {
	require.Empty(t, usage.Grow(nil).Times(3)[price.RedisCommands])
	require.Zero(t, usage.Grow([]usage.Day{{Date: today}}).Accepted)
}
