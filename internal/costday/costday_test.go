package costday_test

import (
	"maps"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/costday"
	"github.com/framedle/leaderboards/internal/upstash"
)

// A day of 80 players over two processes: the meter and Redis agree by name, and
// every route stays within its budget.
func TestADayIsCountedAsRedisCountsIt(t *testing.T) {
	const players = 80
	days, err := costday.Product(t.Context(), costday.Options{Players: players, Processes: []int{2}, Seed: 1})
	require.NoError(t, err)
	day := days[0]
	require.NoError(t, costday.Agree(day.Counted, day.Ran))

	submit := day.Routes["submit"]
	require.EqualValues(t, players*5/2*51/50, submit.Requests, "two and a half games, one in fifty sent twice")
	require.Equal(t, submit.Requests, submit.ByName["ZADD"])
	require.LessOrEqual(t, submit.ByName["ZREVRANK"]+submit.ByName["ZRANGE"], submit.Requests)
	for route, budget := range map[string]struct{ requests, most int64 }{
		"submit":      {submit.Requests, 3}, // 2, and what a new process asks once
		"page":        {players * 5 / 2, 3},
		"around":      {players, 3},
		"friends":     {players, 2},
		"cron-daily":  {1, 200}, // of 11 modes: four closed, four folded
		"cron-save":   {6, 3 + 11 + 4*4},
		"cron-weekly": {1, 12 * 11}, // 12 for each mode
		"cron-usage":  {1, 6},
	} {
		c := day.Routes[route]
		require.Equal(t, budget.requests, c.Requests, route)
		require.LessOrEqual(t, c.Commands, budget.most*c.Requests, "%s: %v", route, c.Shapes)
	}

	for name := range day.Counted.ByName {
		for _, wrong := range []int64{-1, 1} {
			miscounted := upstash.Usage{ByName: maps.Clone(day.Counted.ByName)}
			miscounted.ByName[name] += wrong
			require.ErrorIs(t, costday.Agree(miscounted, day.Ran), costday.ErrMiscounted, "%s %+d", name, wrong)
		}
	}
}

// forgetful is a count that misses one exchange in fifty.
type forgetful struct {
	costday.Counter
	exchanges atomic.Int64
}

func (f *forgetful) Add(route string, u upstash.Usage) {
	if f.exchanges.Add(u.RoundTrips)%50 == 0 && u.RoundTrips > 0 {
		u = upstash.Usage{}
	}
	f.Counter.Add(route, u)
}

func TestACountThatMissesAnExchangeIsFound(t *testing.T) {
	o := costday.Options{
		Players: 60, Processes: []int{1}, Seed: 1,
		Through: func(c costday.Counter) costday.Counter { return &forgetful{Counter: c} },
	}
	_, err := costday.Product(t.Context(), o)
	require.ErrorIs(t, err, costday.ErrMiscounted)
	_, err = costday.Record(t.Context(), o)
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
