package limit_test

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
)

func from(i int) limit.Caller {
	return limit.Caller{Address: netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 32)}
}

// shared is a process whose strangers share so many commands a second.
func shared(c *testkit.Clock, aSecond, burst int) *limit.Limiter {
	l, _ := local(game.Limits{Commands: game.CommandLimits{Unverified: game.Rate{Count: aSecond, Window: time.Second}, Burst: burst}}, c)
	return l
}

// spends has a caller ask and cost so much.
func spends(tb require.TestingT, l *limit.Limiter, who limit.Caller, most, cost int) bool {
	_, err := l.Take(context.Background(), limit.Boards, who)
	require.NoError(tb, err)
	d, err := l.Spend(context.Background(), who, most)
	require.NoError(tb, err)
	require.Equal(tb, d.Allowed, d.Wait == 0)
	if d.Allowed {
		d.Settle(cost)
	}
	return d.Allowed
}

func TestStrangersShareWhatAProcessSpendsForThem(t *testing.T) {
	c := testkit.Still(noon)
	l := shared(c, 10, 100)
	served := 0
	for i := range 1000 {
		if spends(t, l, from(i), 5, 5) {
			served++
		}
	}
	require.Equal(t, 14, served, "newcomers leave 29 of 100")
	c.Pass(time.Second)
	require.True(t, spends(t, l, from(2000), 5, 5))
	require.True(t, spends(t, l, from(2001), 5, 5))
	require.False(t, spends(t, l, from(2002), 5, 5), "10 a second")
}

func TestWhatDidNotCostIsGivenBack(t *testing.T) {
	l := shared(testkit.Still(noon), 1, 100)
	for i := range 1000 {
		require.True(t, spends(t, l, from(i), 60, 0), "as much as a request might cost is held only while it is under way")
	}
}

func TestWhoAsksSeldomGoesBeforeWhoAsksOften(t *testing.T) {
	c := testkit.Still(noon)
	l := shared(c, 10, 100)
	reader, eager := from(1), from(2)
	for range 5 {
		require.True(t, spends(t, l, reader, 1, 1))
		c.Pass(20 * time.Second)
	}
	served := 0
	for range 1000 {
		if spends(t, l, eager, 1, 1) {
			served++
		}
	}
	require.Greater(t, served, 20, "what nobody else asks for is there for whoever does")
	require.Less(t, served, 40)
	for i := range 100 {
		spends(t, l, from(100+i), 1, 1)
	}
	require.False(t, spends(t, l, from(3), 1, 1), "what newcomers may have is spent")
	require.True(t, spends(t, l, reader, 5, 5), "seldom here")
	c.Pass(10 * time.Second)
	require.True(t, spends(t, l, eager, 1, 1), "the pool is full again")
}

func TestPlayersAndThisMachineDoNotShare(t *testing.T) {
	l := shared(testkit.Still(noon), 1, 100)
	for i := range 200 {
		spends(t, l, from(i), 10, 10)
	}
	require.False(t, spends(t, l, from(500), 10, 10))
	for _, who := range []limit.Caller{{Player: "user_a", Address: from(1).Address}, {Key: "0123"}, {}} {
		for range 200 {
			require.True(t, spends(t, l, who, 10, 10))
		}
	}
	require.False(t, spends(t, l, limit.Caller{Player: "anon_a", Anonymous: true, Address: from(501).Address}, 10, 10), "a device speaks for nobody")
}

// In no stretch of time is more spent for strangers than the burst and what has
// flowed in, as long as no request costs more than it said.
func TestTheBoundOfThePoolHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := testkit.Still(noon)
		aSecond, burst := rapid.IntRange(1, 50).Draw(t, "rate"), rapid.IntRange(100, 300).Draw(t, "burst")
		l := shared(c, aSecond, burst)
		began, spent := c.Now(), 0
		var under []limit.Decision
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			c.Pass(time.Duration(rapid.SampledFrom([]int{0, 0, 1, 50, 3000}).Draw(t, "ms")) * time.Millisecond)
			if len(under) > 0 && rapid.Bool().Draw(t, "settle") {
				cost := rapid.IntRange(0, 20).Draw(t, "cost")
				under[0].Settle(cost)
				under, spent = under[1:], spent+cost
				continue
			}
			d, err := l.Spend(t.Context(), from(rapid.IntRange(0, 9).Draw(t, "who")), 20)
			require.NoError(t, err)
			if d.Allowed {
				under = append(under, d)
			}
		}
		require.LessOrEqual(t, float64(spent), float64(burst)+float64(aSecond)*c.Now().Sub(began).Seconds()+1e-6)
	})
}

// However many requests are under way at once, an address stays within its bound.
func TestWhatIsUnderWayCountsAsItsDearest(t *testing.T) {
	c := testkit.Still(noon)
	l, m := local(game.Limits{Commands: game.CommandLimits{IP: aMinute(240)}}, c)
	var under []limit.Decision
	for range 100 {
		if d, err := l.Spend(t.Context(), from(1), 9); err == nil && d.Allowed {
			under = append(under, d)
		}
	}
	require.Len(t, under, 240/9)
	for _, d := range under {
		d.Settle(1)
	}
	d, err := l.Spend(t.Context(), from(1), 9)
	require.NoError(t, err)
	require.True(t, d.Allowed)
	require.Equal(t, 240-240/9-9, d.Remaining)
	d.Settle(12)
	d, err = l.Spend(t.Context(), from(1), 9)
	require.NoError(t, err)
	require.Equal(t, 240-240/9-12-9, d.Remaining, "what cost more than thought counts too")
	d, err = l.Spend(t.Context(), from(1), 250)
	require.NoError(t, err)
	require.Equal(t, time.Minute, d.Wait)
	require.Zero(t, m.asked)
}
