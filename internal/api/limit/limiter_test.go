package limit_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
)

func local(l game.Limits, c *testkit.Clock) (*limit.Limiter, *memory) {
	m := newMemory()
	return limit.New(limit.Options{Limits: l, Store: m, Now: c.Now}), m
}

func TestOneProcessCountsExactly(t *testing.T) {
	c := testkit.Still(noon)
	l, _ := local(submits(game.CallerLimits{Player: aMinute(20)}), c)
	require.Equal(t, 20, passed(t, l, player("a"), 50))
	d := take(t, l, player("a"))
	require.Equal(t, time.Minute, d.Wait, "the window slides past all of them at once")
	require.Equal(t, 20, passed(t, l, player("b"), 50), "each caller has their own")
	c.Pass(time.Minute - time.Nanosecond)
	require.False(t, take(t, l, player("a")).Allowed)
	c.Pass(time.Nanosecond)
	require.Equal(t, 20, passed(t, l, player("a"), 50))
}

func TestRequestsLeaveTheWindowOneByOne(t *testing.T) {
	c := testkit.Still(noon)
	l, _ := local(submits(game.CallerLimits{Player: aMinute(4)}), c)
	for i := range 4 {
		require.Equal(t, 3-i, take(t, l, player("a")).Remaining)
		c.Pass(10 * time.Second)
	}
	for range 4 {
		d := take(t, l, player("a"))
		require.False(t, d.Allowed)
		require.LessOrEqual(t, d.Wait, 20*time.Second)
		c.Pass(d.Wait)
		require.True(t, take(t, l, player("a")).Allowed, "what was told to wait is let in")
	}
}

func TestWhoStaysBelowAQuarterCostsNothing(t *testing.T) {
	c := testkit.Still(noon)
	l, m := local(submits(game.CallerLimits{Player: aMinute(20)}), c)
	for i := range 1000 {
		require.Equal(t, 5, passed(t, l, player(fmt.Sprint(i)), 5))
	}
	for range 500 { // five a minute, for as long as one likes
		require.True(t, take(t, l, player("steady")).Allowed)
		c.Pass(12*time.Second + time.Millisecond)
	}
	require.Zero(t, m.asked)
}

func TestARefusedCallerIsRememberedForNothing(t *testing.T) {
	c := testkit.Still(noon)
	l, m := local(submits(game.CallerLimits{Player: aMinute(20)}), c)
	require.Equal(t, 20, passed(t, l, player("a"), 100_000))
	require.LessOrEqual(t, m.asked, 3)
}

func TestAnotherProcessIsSeen(t *testing.T) {
	c := testkit.Still(noon)
	m := newMemory()
	limits := submits(game.CallerLimits{Player: aMinute(20)})
	one := limit.New(limit.Options{Limits: limits, Store: m, Now: c.Now})
	two := limit.New(limit.Options{Limits: limits, Store: m, Now: c.Now})
	require.Equal(t, 20, passed(t, one, player("a"), 40))
	require.LessOrEqual(t, passed(t, two, player("a"), 40), 6)
	d := take(t, two, player("a"))
	require.False(t, d.Allowed)
	require.LessOrEqual(t, d.Wait, 70*time.Second, "a sixth of the window longer than by oneself")
	c.Pass(70 * time.Second)
	require.True(t, take(t, two, player("a")).Allowed)
}

// In no window, wherever it begins, do more requests pass than the bound of the package, at
// whatever moments and through whichever processes they come.
func TestTheBoundHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(1, 40).Draw(t, "limit")
		processes := rapid.IntRange(1, 5).Draw(t, "processes")
		c := testkit.Still(noon.Add(time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "start"))))
		m := newMemory()
		var all []*limit.Limiter
		for range processes {
			all = append(all, limit.New(limit.Options{Limits: submits(game.CallerLimits{Player: aMinute(count)}), Store: m, Now: c.Now}))
		}
		bound := count + processes*(count/4+1)
		if processes == 1 {
			bound = count
		}
		var moments []time.Time
		for range rapid.IntRange(1, 300).Draw(t, "requests") {
			c.Pass(time.Duration(rapid.SampledFrom([]int64{0, 0, 0, 1, int64(time.Millisecond), int64(time.Second), int64(9 * time.Second), int64(31 * time.Second)}).Draw(t, "pause")))
			d := take(t, all[rapid.IntRange(0, processes-1).Draw(t, "process")], player("a"))
			require.Equal(t, d.Allowed, d.Wait == 0)
			if d.Allowed {
				moments = append(moments, c.Now())
			}
		}
		first := 0
		for last := range moments {
			for moments[first].Add(time.Minute).Compare(moments[last]) <= 0 {
				first++
			}
			require.LessOrEqual(t, last-first+1, bound)
		}
	})
}

func TestTheBoundHoldsUnderConcurrency(t *testing.T) {
	onEngines(t, func(t *testing.T, r *redis) {
		const processes, workers = 4, 8
		limits := submits(game.CallerLimits{Player: aMinute(20)})
		var granted atomic.Int64
		var wait sync.WaitGroup
		for range processes {
			l := r.process(limits)
			for range workers {
				wait.Go(func() {
					for range 200 {
						d, err := l.Take(context.Background(), limit.Submit, player("a"))
						if err == nil && d.Allowed {
							granted.Add(1)
						}
					}
				})
			}
		}
		wait.Wait()
		require.GreaterOrEqual(t, granted.Load(), int64(20))
		require.LessOrEqual(t, granted.Load(), int64(20+processes*6))
	})
}

func TestAFirstPlayIsGivenBack(t *testing.T) {
	c := testkit.Still(noon)
	l, m := local(submits(game.CallerLimits{Player: aMinute(20)}), c)
	for range 100 {
		d := take(t, l, player("a"))
		require.True(t, d.Allowed)
		d.TakeBack()
	}
	require.Equal(t, 20, passed(t, l, player("a"), 50))
	require.LessOrEqual(t, m.asked, 3)
}

func TestAPauseLetsOneThrough(t *testing.T) {
	c := testkit.Still(noon)
	m := newMemory()
	limits := submits(game.CallerLimits{Every: 5 * time.Second})
	one := limit.New(limit.Options{Limits: limits, Store: m, Now: c.Now})
	two := limit.New(limit.Options{Limits: limits, Store: m, Now: c.Now})
	require.Equal(t, 1, passed(t, one, player("a"), 10)+passed(t, two, player("a"), 10))
	require.Equal(t, 2, m.asked, "once by each process")
	c.Pass(4 * time.Second)
	require.Equal(t, time.Second, take(t, one, player("a")).Wait)
	require.Equal(t, time.Second, take(t, two, player("a")).Wait)
	c.Pass(time.Second)
	require.True(t, take(t, two, player("a")).Allowed)
}

func TestTheRuleThatRefusesIsNamed(t *testing.T) {
	c := testkit.Still(noon)
	home := netip.MustParsePrefix("192.0.2.7/32")
	l, _ := local(submits(game.CallerLimits{Player: aMinute(20), IP: aMinute(3)}), c)
	require.Equal(t, "submit-ip", take(t, l, limit.Caller{Player: "a", Address: home}).Rule.Name, "the one with the least left")
	require.Equal(t, 2, passed(t, l, limit.Caller{Player: "b", Address: home}, 9))
	d := take(t, l, limit.Caller{Player: "c", Address: home})
	require.Equal(t, `"submit-ip";q=3;w=60`, d.Policy())
	require.Equal(t, `"submit-ip";r=0;t=60`, d.Limit())
	d = take(t, l, player("c"))
	require.Equal(t, `"submit-player";r=19`, d.Limit(), "what another rule refused counts nowhere")
}

func TestAddressesNeverCostACommand(t *testing.T) {
	c := testkit.Still(noon)
	l, m := local(game.Limits{Boards: aMinute(30), Auth: aMinute(5)}, c)
	for i := range 50_000 {
		ip := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 32)
		for _, class := range []limit.Class{limit.Boards, limit.Auth} {
			d, err := l.Take(t.Context(), class, limit.Caller{Address: ip})
			require.NoError(t, err)
			require.True(t, d.Allowed)
		}
	}
	require.Zero(t, m.asked)
}

func TestWithoutRedisTheRuleDecides(t *testing.T) {
	c := testkit.Still(noon)
	down := errors.New("down")
	for outage, want := range map[game.Outage]int{game.LetPass: 20, game.Refuse: 5} {
		l, m := local(submits(game.CallerLimits{Player: aMinute(20), RedisDown: outage}), c)
		m.err = down
		granted := 0
		for range 100 {
			d, err := l.Take(t.Context(), limit.Submit, player("a"))
			if outage == game.LetPass || granted < want {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, down)
			}
			if d.Allowed {
				granted++
			}
		}
		require.Equal(t, want, granted, "%s: this process still counts", outage)
	}
}

func TestAClockThatIsMovedLocksNobodyOut(t *testing.T) {
	c := testkit.Still(noon)
	l, _ := local(submits(game.CallerLimits{Player: aMinute(20), Every: time.Second}), c)
	for range 25 {
		take(t, l, player("a"))
		c.Pass(time.Second)
	}
	c.Pass(-24 * time.Hour)
	require.True(t, take(t, l, player("a")).Allowed)
	c.Pass(240 * time.Hour)
	require.True(t, take(t, l, player("a")).Allowed)
}

func TestOnlyTheCallersSeenLastAreKept(t *testing.T) {
	c := testkit.Still(noon)
	l, _ := local(submits(game.CallerLimits{Player: aMinute(1)}), c)
	require.Equal(t, 1, passed(t, l, player("a"), 2))
	for i := range 1_000 {
		take(t, l, player(fmt.Sprint(i)))
	}
	require.False(t, take(t, l, player("a")).Allowed)
	l, _ = local(game.Limits{Boards: aMinute(1)}, c)
	read := func(i int) bool {
		ip := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 32)
		d, err := l.Take(t.Context(), limit.Boards, limit.Caller{Address: ip})
		require.NoError(t, err)
		return d.Allowed
	}
	for i := range 8193 {
		require.True(t, read(i))
	}
	require.False(t, read(8192))
	require.True(t, read(0), "8,192 others came after")
}

func TestACallWhoseContextHasEndedDoesNotWait(t *testing.T) {
	c := testkit.Still(noon)
	asked, answer := make(chan struct{}), make(chan struct{})
	l := limit.New(limit.Options{Limits: submits(game.CallerLimits{Player: aMinute(1)}), Now: c.Now, Store: storeFunc(func() { close(asked); <-answer })})
	done := make(chan struct{})
	go func() { defer close(done); take(t, l, player("a")) }()
	<-asked
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := l.Take(ctx, limit.Submit, player("a"))
	require.ErrorIs(t, err, context.Canceled)
	close(answer)
	<-done
}

// storeFunc is a Store that lets everybody pass after a while.
type storeFunc func()

func (f storeFunc) Exchange(_ context.Context, asks []limit.Ask) ([]limit.Answer, error) {
	f()
	answers := make([]limit.Answer, len(asks))
	for i, a := range asks {
		answers[i] = limit.Answer{Count: a.Add, Created: a.Create}
	}
	return answers, nil
}
