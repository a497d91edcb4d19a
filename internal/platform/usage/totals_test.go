package usage_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/budget"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// of30000 allows 1,000 commands on each day of November; by noon, 625.
var of30000 = game.Budget{Month: 30_000, Caches: 80, Refresh: 90, Features: 100}

// budgeted is one process of a function whose game has a budget.
func budgeted(client *upstash.Client, now *testkit.Clock, name, process string, b game.Budget) (function, *budget.Guard) {
	guard := budget.New(b, now.Now, func(budget.Change) {})
	return function{usage.New(usage.Options{Function: name, Now: now.Now, Counters: usage.NewCounters(client, name, process), Budget: guard}), client, now}, guard
}

func monthOf(t require.TestingT, ctx context.Context, client *upstash.Client, day game.Date) budget.Spent {
	spent, err := usage.NewLedger(client, nil).Month(ctx, day)
	require.NoError(t, err)
	return spent
}

func TestAProcessLearnsWhatAllHaveSpent(t *testing.T) {
	_, client := connect(t)
	now := testkit.Still(time.Date(2096, 11, 1, 12, 0, 0, 0, time.UTC))
	submit, ofSubmit := budgeted(client, now, "submit", "p1", of30000)
	me, ofMe := budgeted(client, now, "me", "p1", of30000)
	submit.call(t, t.Context(), 299, 200)
	require.Zero(t, monthOf(t, t.Context(), client, game.DateOf(now.Now())).Today, "with the look, a first write is worth it from 400 on")
	submit.call(t, t.Context(), 200, 200)
	require.Equal(t, budget.Spent{Today: 500}, monthOf(t, t.Context(), client, game.DateOf(now.Now())), "499, and the look")
	require.Equal(t, "caches", ofSubmit.Measures().String(), "500 of 625 are 80%")
	require.Zero(t, ofMe.Measures())
	me.call(t, t.Context(), 100, 200)
	require.Equal(t, "caches", ofMe.Measures().String(), "100 commands are worth a look")
	me.call(t, t.Context(), 300, 200)
	require.Equal(t, 3, ofMe.Measures().Level())
	require.Equal(t, 1, ofSubmit.Measures().Level(), "nobody tells a process that does not ask")
	now.Pass(6 * time.Minute)
	submit.call(t, t.Context(), 200, 200)
	require.Equal(t, 3, ofSubmit.Measures().Level())
}

func TestADayBeginsWithWhatTheMonthHasLeft(t *testing.T) {
	server, client := connect(t)
	now := testkit.Still(time.Date(2096, 11, 1, 23, 0, 0, 0, time.UTC))
	f, guard := budgeted(client, now, "submit", "p1", of30000)
	f.call(t, t.Context(), 6000, 200)
	require.Equal(t, 3, guard.Measures().Level())
	now.Pass(2 * time.Hour)
	require.Zero(t, guard.Measures().Level())
	f.call(t, t.Context(), 400, 200)
	second := game.DateOf(now.Now())
	spent := monthOf(t, t.Context(), client, second)
	require.Equal(t, int64(400), spent.Today)
	require.Greater(t, spent.Before, int64(6000), "the last write's own cost is told, too")
	require.Equal(t, 3, guard.Measures().Level(), "233 may be spent by 01:00")
	ttl, err := server.Redis().Do(t.Context(), "EXPIRETIME", usage.MonthKey(second))
	require.NoError(t, err)
	require.EqualValues(t, time.Date(2096, 12, 9, 0, 0, 0, 0, time.UTC).Unix(), ttl, "8 days after the month")
}

// Any calls in any order, over the end of a month: the totals say what the counters do, which
// say what the client's own meter does.
func TestTotalsSayWhatTheCountersDo(t *testing.T) {
	redis := testkit.NewRedis(t, "")
	server := redis.Server
	rapid.Check(t, func(rt *rapid.T) {
		redis.Do("FLUSHALL")
		client := redis.Connect(testkit.AtOnce)
		now := testkit.Still(time.Date(2096, 11, 29, 22, 0, 0, 0, time.UTC))
		first := game.DateOf(now.Now())
		var processes []function
		for _, name := range []string{"submit", "me"} {
			f, _ := budgeted(client, now, name, "p", game.Budget{Month: 1e6, Caches: 80})
			processes = append(processes, f)
		}
		for range rapid.IntRange(0, 30).Draw(rt, "calls") {
			lost := rapid.SampledFrom([]upstashtest.Fault{{}, {}, {CutAfter: true}, {Status: 500}}).Draw(rt, "fault")
			server.Inject(func(r upstashtest.Request) upstashtest.Fault {
				if strings.HasPrefix(r.Commands[0][0], "H") {
					return lost
				}
				return upstashtest.Fault{}
			})
			processes[rapid.IntRange(0, 1).Draw(rt, "process")].call(rt, t.Context(), rapid.IntRange(0, 250).Draw(rt, "commands"), 200)
			now.Pass(time.Duration(rapid.IntRange(0, 90).Draw(rt, "minutes")) * time.Minute)
		}
		server.Inject(nil)
		for _, f := range processes {
			f.call(rt, t.Context(), 40, 200)
			require.NoError(rt, f.watch.Close(t.Context()))
		}
		last := game.DateOf(now.Now())
		days, err := usage.NewLedger(client, nil).Days(t.Context(), first, last)
		require.NoError(rt, err)
		for _, d := range days {
			require.Equal(rt, d.Total().Commands, monthOf(rt, t.Context(), client, d.Date).Today, d.Date)
		}
	})
}

func TestABudgetKeepsCountingWithinOnePercent(t *testing.T) {
	server, client := connect(t)
	now := testkit.Still(noon)
	f, _ := budgeted(client, now, "submit", "p", of30000)
	own := func() (n int64) {
		stats, err := server.Redis().CommandStats(t.Context())
		require.NoError(t, err)
		for _, name := range []string{"hset", "hincrby", "hgetall", "hget", "expireat"} {
			n += stats[name]
		}
		return n
	}
	spent := int64(0)
	for spent < 8_000 {
		f.call(t, t.Context(), 7, 200)
		spent += 7
		now.Pass(20 * time.Second)
		require.LessOrEqual(t, own(), 1+client.Meter().Usage().Commands/100, "but for the end that the month's totals are given")
	}
	require.Greater(t, own(), spent/200)
	stats, err := server.Redis().CommandStats(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, stats["expireat"])
	var ran int64
	for name, n := range stats {
		if name != "info" {
			ran += n
		}
	}
	require.Equal(t, ran, client.Meter().Usage().Commands)
}

func TestAProcessThatEndsTellsTheMonthToo(t *testing.T) {
	_, client := connect(t)
	for process, test := range map[string]struct{ spent, told int }{"little": {39, 0}, "enough": {40, 40}} {
		f, _ := budgeted(client, testkit.Still(noon), process, "p", of30000)
		f.call(t, t.Context(), test.spent, 200)
		require.NoError(t, f.watch.Close(t.Context()))
		require.EqualValues(t, test.told, known(t, t.Context(), client, process).Commands)
	}
	require.Equal(t, budget.Spent{Today: 40}, monthOf(t, t.Context(), client, today))
}

func TestTotalsThatAreNoneAreRefused(t *testing.T) {
	server, client := connect(t)
	for _, c := range [][3]string{{"2096-11-21", "many", "no number"}, {"today", "5", "today"}} {
		_, err := server.Redis().Do(t.Context(), "HSET", usage.MonthKey(today), c[0], c[1])
		require.NoError(t, err)
		_, err = usage.NewLedger(client, nil).Month(t.Context(), today)
		require.ErrorContains(t, err, c[2])
		_, err = server.Redis().Do(t.Context(), "FLUSHALL")
		require.NoError(t, err)
	}
}

// lastLevel keeps the level of the last call.
type lastLevel struct{ level int }

func (l *lastLevel) Add(c usage.Call) { l.level = c.Level }

func TestTheLevelIsInLinesAndMetrics(t *testing.T) {
	_, client := connect(t)
	now := testkit.Still(noon)
	guard := budget.New(of30000, now.Now, func(budget.Change) {})
	var lines bytes.Buffer
	levels := &lastLevel{}
	f := function{usage.New(usage.Options{Function: "submit", Now: now.Now, Lines: &lines, Metrics: levels, Budget: guard}), client, now}
	f.call(t, t.Context(), 1, 200)
	require.NotContains(t, lines.String(), "BudgetLevel")
	require.Zero(t, levels.level)
	guard.LearnDay(today, 30_000)
	f.call(t, t.Context(), 1, 200)
	require.Contains(t, lines.String(), `"BudgetLevel":3`)
	require.Equal(t, 3, levels.level)
}
