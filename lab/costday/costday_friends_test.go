package costday_test

import (
	"maps"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/lab/costday"
	"github.com/framedle/leaderboards/upstash"
)

// deployed are the days as deployed, in both forms of arrivals.
var deployed = []costday.Setting{
	{Arrivals: costday.Evenly, Journey: costday.Apart},
	{Arrivals: costday.Puzzle, Journey: costday.Apart},
}

// Days of 80 players as deployed: the meter and Redis agree by name, and every route
// stays within its budget.
func TestADayIsCountedAsRedisCountsIt(t *testing.T) {
	const players = 80
	days, err := costday.Product(t.Context(), costday.Options{Players: players, Days: deployed, Seed: 1, Weighs: true})
	require.NoError(t, err)
	requireKept(t, days[1].Keeps, players)
	for n, day := range days {
		require.Equal(t, deployed[n].Arrivals.Name, day.Name)
		require.NoError(t, costday.Agree(day.Counted, day.Ran))
		requireBudgets(t, day, int64(n))
	}
	require.Zero(t, days[0].Started["enqueue"])
	for _, function := range []string{"submit", "leaderboard"} {
		require.Greater(t, days[0].Started[function], 16/2, "%s: hours by what one lives", function)
		require.Greater(t, days[1].Started[function], days[0].Started[function], "%s: where fewer come it is idle more often", function)
	}

	day := days[0]
	for name := range day.Counted.ByName {
		for _, wrong := range []int64{-1, 1} {
			miscounted := upstash.Usage{ByName: maps.Clone(day.Counted.ByName)}
			miscounted.ByName[name] += wrong
			require.ErrorIs(t, costday.Agree(miscounted, day.Ran), costday.ErrMiscounted, "%s %+d", name, wrong)
		}
	}
}

// requireKept checks that Redis keeps boards by mode, that it keeps the data of each
// player separately, and that it keeps no board that nobody looks at.
func requireKept(t *testing.T, all costday.Keeps, players int64) {
	keys := map[string]int64{}
	bytes := int64(0)
	for _, k := range all.Kinds {
		require.Positive(t, k.Bytes, k.Kind)
		bytes += k.Bytes
		keys[k.Kind] = k.Keys
	}
	require.EqualValues(t, 4*3, keys["lb:{mode}:week:{week}"], "this week and two before")
	require.GreaterOrEqual(t, keys["lb:{mode}:{date}"], int64(4*7))
	require.Equal(t, players, keys["friends:{…}"])
	require.Zero(t, keys["lb:{mode}:month:{month}"]+keys["lb:{mode}:alltime"])
	require.EqualValues(t, 1, keys["profiles"])
	require.Greater(t, all.Used, bytes*9/10, "what Redis says that it uses, beside connections")
}

// requireBudgets compares a day with the budgets of its routes; n is the number of days
// after Monday.
func requireBudgets(t *testing.T, day costday.Day, n int64) {
	players := int64(day.Players)
	submit := day.Routes["submit"]
	require.EqualValues(t, players*5/2*51/50, submit.Requests, "two and a half games, one in fifty sent twice")
	require.Equal(t, submit.Requests, submit.ByName["ZADD"])
	environments := int64(0)
	for _, started := range day.Started {
		environments += int64(started)
	}
	early := int64(0) // for the XP of players who have played by then
	if day.Arrivals.Name == costday.Puzzle.Name {
		early = 3
	}
	answer := int64(0)
	for route, budget := range map[string]struct{ requests, most int64 }{
		"submit":      {submit.Requests, 2},
		"page":        {players * 5 / 2, 1},
		"around":      {players, 1},
		"friends":     {players, 1},
		"own week":    {players, 10},
		"cron-daily":  {1, 173 + early},   // of 11 modes: four found and listed, closed, and four rolled up; whether those of closed days are there, which Redis this is, and its rules
		"cron-save":   {6, 29},            // with days that ended and are not closed, and which Redis each day is from
		"cron-weekly": {max(0, 1-n), 100}, // with how the run ended, and the rules
		"cron-usage":  {1, 5},
	} {
		c := day.Routes[route]
		require.Equal(t, budget.requests, c.Requests, route)
		steady := c.Commands - c.ByName["PEXPIRE"] // a slow machine extends locks more often
		if strings.HasPrefix(route, "cron-") {
			require.LessOrEqual(t, steady, budget.most*c.Requests, "%s: %v", route, c.Shapes)
			continue
		}
		steady -= askedOnce(c) + toldByLot(c)
		if route != "own week" { // its refresh sets keys of its own
			answer += toldByLot(c)
		}
		require.LessOrEqual(t, steady, budget.most*c.Requests, "%s: %v", route, c.Shapes)
		require.LessOrEqual(t, askedOnce(c), 2*c.Requests+environments*(2*4+2), "%s: %v", route, c.Shapes)
	}
	require.LessOrEqual(t, answer, players/2, "what tells of players who cost much")
}

// toldByLot counts the commands that count players over all processes.
func toldByLot(c costday.Count) int64 {
	return c.ByName["SET"] + c.ByName["INCRBY"] + c.ByName["MGET"] + c.ByName["SADD"] + c.ByName["SREM"]
}

// forgetful is a Counter that misses one round trip in so many.
type forgetful struct {
	costday.Counter
	misses    int64
	exchanges atomic.Int64
}

func (f *forgetful) Add(route string, u upstash.Usage) {
	if f.exchanges.Add(u.RoundTrips)%f.misses == 0 && u.RoundTrips > 0 {
		u = upstash.Usage{}
	}
	f.Counter.Add(route, u)
}

func TestACountThatMissesAnExchangeIsFound(t *testing.T) {
	missing := func(one int64) func(costday.Counter) costday.Counter {
		return func(c costday.Counter) costday.Counter { return &forgetful{Counter: c, misses: one} }
	}
	_, err := costday.Product(t.Context(), costday.Options{Players: 60, Days: deployed[:1], Seed: 1, Through: missing(50)})
	require.ErrorIs(t, err, costday.ErrMiscounted)
	_, err = costday.Record(t.Context(), costday.Options{Players: 60, Seed: 1, Through: missing(5)}) // which sends many commands in one round trip
	require.ErrorIs(t, err, costday.ErrMiscounted)
}

func TestTheRecordSpendsWhatItsCodeSays(t *testing.T) {
	const players = 60
	day, err := costday.Record(t.Context(), costday.Options{Players: players, Seed: 1})
	require.NoError(t, err)
	const submits = players * 5 / 2 * 51 / 50
	for route, commands := range map[string]int64{
		"submit":         3 * submits,
		"page":           players * 5 / 2,
		"around":         3 * players,
		"friends":        20 * players,
		"own week":       2 * players,
		"cron-weekly":    4 * (7 + 2),
		"country boards": 2 * submits,
	} {
		require.Equal(t, commands, day.Routes[route].Commands, route)
	}
}

func TestAgreementIsByName(t *testing.T) {
	for name, test := range map[string]struct {
		counted map[string]int64
		ran     map[string]int64
		agrees  bool
	}{
		"nothing":                   {nil, nil, true},
		"the same":                  {map[string]int64{"ZADD": 2}, map[string]int64{"zadd": 2}, true},
		"what is not billed":        {nil, map[string]int64{"info": 3, "config|get": 1, "select": 1}, true},
		"one too few":               {map[string]int64{"ZADD": 1}, map[string]int64{"zadd": 2}, false},
		"one too many":              {map[string]int64{"ZADD": 2}, map[string]int64{"zadd": 1}, false},
		"one for another":           {map[string]int64{"ZADD": 2, "ZRANK": 1}, map[string]int64{"zadd": 1, "zrank": 2}, false},
		"counted and never run":     {map[string]int64{"ZADD": 1}, nil, false},
		"run and never counted":     {nil, map[string]int64{"zadd": 1}, false},
		"scripts' calls":            {map[string]int64{"EVALSHA": 1, "ZADD": 1, "redis.call": 2}, map[string]int64{"evalsha": 1, "zadd": 2, "get": 1}, true},
		"scripts' calls, one short": {map[string]int64{"EVALSHA": 1, "redis.call": 1}, map[string]int64{"evalsha": 1, "zadd": 1, "get": 1}, false},
		"subcommands":               {map[string]int64{"SCRIPT": 1}, map[string]int64{"script|load": 1}, true},
	} {
		err := costday.Agree(upstash.Usage{ByName: test.counted}, test.ran)
		if test.agrees {
			require.NoError(t, err, name)
		} else {
			require.ErrorIs(t, err, costday.ErrMiscounted, name)
		}
	}
}
