package limit_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
)

func aDay(n int) game.Limits {
	return game.Limits{Commands: game.CommandLimits{Player: game.Rate{Count: n, Window: 24 * time.Hour}}}
}

// In whatever order requests come, run at once and end: in no 24 hours does a process spend
// more for a player than the limit, as long as no request costs more than it said. It asks
// Redis nothing.
func TestTheBoundOfAPlayersCommandsHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const count = 300
		c := testkit.Still(noon)
		l, m := local(aDay(count), c)
		type request struct {
			limit.Decision
			began time.Time
			most  int
		}
		var under []request
		var costs []request // most is what was spent
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			c.Pass(rapid.SampledFrom([]time.Duration{0, 0, 0, time.Second, time.Hour, 7 * time.Hour}).Draw(t, "pause"))
			if len(under) > 0 && rapid.Bool().Draw(t, "settle") {
				ends := under[0]
				ends.most = rapid.IntRange(0, ends.most).Draw(t, "cost")
				ends.Settle(ends.most)
				under, costs = under[1:], append(costs, ends)
				continue
			}
			most := rapid.SampledFrom([]int{2, 18, 40, 250}).Draw(t, "most")
			d, err := l.Spend(t.Context(), player("a"), most)
			require.NoError(t, err)
			require.Equal(t, d.Allowed, d.Wait == 0)
			if d.Allowed {
				under = append(under, request{d, c.Now(), most})
			}
		}
		for _, first := range costs {
			spent := 0
			for _, other := range costs {
				if !other.began.Before(first.began) && other.began.Before(first.began.Add(24*time.Hour)) {
					spent += other.most
				}
			}
			require.LessOrEqual(t, spent, count)
		}
		require.Zero(t, m.asked)
	})
}

func TestWhoHasSpentADaysCommandsWaitsForThem(t *testing.T) {
	c := testkit.Still(noon)
	l, m := local(aDay(500), c)
	for range 100 {
		require.True(t, spends(t, l, player("a"), 300, 2), "what it did not cost is given back")
	}
	require.True(t, spends(t, l, player("a"), 300, 300))
	d, err := l.Spend(t.Context(), player("a"), 1)
	require.NoError(t, err)
	require.False(t, d.Allowed)
	require.Equal(t, "commands-player", d.Rule.Name)
	require.Positive(t, d.Wait)
	require.LessOrEqual(t, d.Wait, 24*time.Hour)
	require.True(t, spends(t, l, player("b"), 300, 2), "others are not in the way")
	c.Pass(d.Wait)
	require.True(t, spends(t, l, player("a"), 1, 1))
	require.Zero(t, m.asked)
}
