package usage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash"
)

func put(t *testing.T, client *upstash.Client, day game.Date, field string, c usage.Count) {
	t.Helper()
	_, err := client.Do(t.Context(), upstash.Cmd("HSET", usage.Key(day), field, c.String()))
	require.NoError(t, err)
}

func TestDaysMoveToTheArchiveAndAreForgottenByRedis(t *testing.T) {
	server, client := connect(t)
	archive := shelf{}
	ledger := usage.NewLedger(client, archive)
	yesterday := today.AddDays(-1)
	put(t, client, yesterday, "submit:a", usage.Count{Calls: 1, Commands: 2})
	put(t, client, yesterday, "submit:b", usage.Count{Calls: 10, Commands: 20})
	put(t, client, today, "me:a", usage.Count{Calls: 5})
	before := client.Meter().Usage()
	require.NoError(t, ledger.Drain(t.Context(), today))
	after := client.Meter().Usage()
	require.EqualValues(t, 3+2, after.Commands-before.Commands)
	require.EqualValues(t, 2, after.RoundTrips-before.RoundTrips)
	require.Equal(t, shelf{yesterday: {
		Date: yesterday, ByFunction: map[string]usage.Count{"submit": {Calls: 11, Commands: 22}}, Outcomes: true,
		Parts: map[usage.Part]usage.Count{{Function: "submit", Route: usage.Unknown, Caller: usage.Unknown}: {Calls: 11, Commands: 22}},
	}}, archive)

	put(t, client, yesterday, "submit:c", usage.Count{Calls: 100, Commands: 200})
	require.NoError(t, ledger.Drain(t.Context(), today.AddDays(1)), "a late process is counted by the next run")
	require.EqualValues(t, 222, archive[yesterday].Total().Commands)

	reply, err := server.Redis().Do(t.Context(), "EXPIRETIME", usage.Key(yesterday))
	require.NoError(t, err)
	require.EqualValues(t, yesterday.AddDays(8).Midnight().Unix(), reply)

	days, err := ledger.Days(t.Context(), today.AddDays(-5), today)
	require.NoError(t, err)
	require.Len(t, days, 6)
	require.Equal(t, today.AddDays(-5), days[0].Date)
	require.Empty(t, days[0].ByFunction)
	require.EqualValues(t, 222, days[4].Total().Commands)
	require.EqualValues(t, 5, days[5].Total().Calls)
}

// A process may be the first to write a day that has been over for two.
func TestADayThatIsWrittenLateHasItsEndToo(t *testing.T) {
	server, client := connect(t)
	now := testkit.Still(noon)
	f := newFunction(client, now, "submit", "p")
	f.call(t, t.Context(), 60, 200)
	ledger := usage.NewLedger(client, shelf{})
	require.NoError(t, ledger.Drain(t.Context(), today.AddDays(1)), "nothing is there yet")
	now.Pass(30 * time.Hour)
	f.call(t, t.Context(), 60, 200)
	require.NoError(t, ledger.Drain(t.Context(), today.AddDays(2)))
	end, err := server.Redis().Do(t.Context(), "EXPIRETIME", usage.Key(today))
	require.NoError(t, err)
	require.EqualValues(t, today.AddDays(8).Midnight().Unix(), end)
}

func TestWithoutAnArchiveRedisKeepsDaysForLonger(t *testing.T) {
	server, client := connect(t)
	ledger := usage.NewLedger(client, nil)
	old := today.AddDays(-30)
	put(t, client, old, "submit:a", usage.Count{Commands: 3})
	put(t, client, today.AddDays(-1), "submit:a", usage.Count{Commands: 2})
	require.NoError(t, ledger.Drain(t.Context(), today))
	reply, err := server.Redis().Do(t.Context(), "EXPIRETIME", usage.Key(today.AddDays(-1)))
	require.NoError(t, err)
	require.EqualValues(t, today.AddDays(39).Midnight().Unix(), reply)
	before := client.Meter().Usage().Commands
	days, err := ledger.Days(t.Context(), today.AddDays(-89), today)
	require.NoError(t, err)
	require.EqualValues(t, 41, client.Meter().Usage().Commands-before)
	require.Len(t, days, 90)
	require.EqualValues(t, 3, days[59].Total().Commands)
	require.NoError(t, ledger.Drain(t.Context(), today.AddDays(100)), "nothing was counted: nothing to do")
}

func TestCountersThatAreNoneAreToldOf(t *testing.T) {
	_, client := connect(t)
	_, err := client.Do(t.Context(), upstash.Cmd("HSET", usage.Key(today), "submit:a", "many"))
	require.NoError(t, err)
	_, err = usage.NewLedger(client, nil).Days(t.Context(), today, today)
	require.ErrorContains(t, err, `read the usage of 2096-11-21: "many" has 1 numbers`)
}

func TestTheMonthIsProjectedFromTheLastWeek(t *testing.T) {
	day := func(d game.Date, commands int64) usage.Day {
		if commands < 0 {
			return usage.Day{Date: d}
		}
		return usage.Day{Date: d, ByFunction: map[string]usage.Count{"submit": {Commands: commands}}}
	}
	november := game.NewDate(2096, time.November, 21)
	for name, test := range map[string]struct {
		today game.Date
		spent []int64 // the last one is today's; -1 is nothing known
		month int64
	}{
		"no day":                          {november, nil, 0},
		"today alone":                     {november, []int64{100}, 3000},
		"today is not over":               {november, []int64{200, 1}, 6000},
		"a pause counts, a beginning not": {november, []int64{-1, -1, 200, -1, 100, 1}, 3000},
		"the last 7 days that are over":   {november, []int64{1e6, 10, 10, 10, 10, 10, 10, 10, 1}, 300},
		"a month of 31 days":              {game.NewDate(2096, time.December, 31), []int64{10, 1}, 310},
		"a month of 28 days":              {game.NewDate(2027, time.February, 1), []int64{10, 1}, 280},
	} {
		t.Run(name, func(t *testing.T) {
			var days []usage.Day
			for i, commands := range test.spent {
				days = append(days, day(test.today.AddDays(i+1-len(test.spent)), commands))
			}
			require.Equal(t, test.month, usage.ProjectMonth(days))
		})
	}
}
