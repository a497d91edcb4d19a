package costday

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/platform/price"
	"github.com/framedle/leaderboards/internal/platform/template"
)

// sample is a day that nobody has played, in numbers that are easy to check.
func sample(players int, window time.Duration) Day {
	n := int64(players)
	d := Day{Players: players, Setting: Setting{Window: window}, Weekly: Count{Requests: 1, RoundTrips: 50}, Routes: map[string]Count{
		routeSubmit: {Requests: n * 255 / 100, Commands: 9 * n, Sent: 1_500 * n, Received: 40_000 * n},
		routePage:   {Requests: n * 5 / 2},
		routeWeek:   {Requests: 3 * n},
		cronDaily:   {Requests: 1}, cronSave: {Requests: 6}, cronUsage: {Requests: 1},
	}}
	d.Routes[cronWeekly] = d.Weekly
	if window > 0 {
		d.Routes[routeIngest] = Count{Requests: 57_600 / int64(window.Seconds())}
	}
	return d
}

func TestThePricesAreTheLists(t *testing.T) {
	l, err := price.Current()
	require.NoError(t, err)
	each := l.Meter(upstashVendor, payAsYouGo, price.RedisCommands)
	require.InDelta(t, each.Dollars/each.Per, DollarsEach, 1e-12)
	require.InDelta(t, FreeCommands, l.Meter(upstashVendor, "free", price.RedisCommands).Most, 1e-9)
	require.InDelta(t, FreeBytes, 1e9*l.Meter(upstashVendor, "free", price.RedisGB).Most, 1e-3)
}

func TestTheReportHasTheWholeBill(t *testing.T) {
	r := Report{Sizes: []Size{
		{Players: 100, Days: []Day{sample(100, 0)}, Record: sample(100, 0)},
		{Players: 1_000, Days: []Day{sample(1_000, 0)}, Record: sample(1_000, 0)},
	}}
	want, err := WholeBill([]Day{r.Sizes[0].Days[0], r.Sizes[1].Days[0]})
	require.NoError(t, err)
	require.Contains(t, r.Markdown(), want)
}

func TestFunctionsHaveTheMemoryOfTheTemplate(t *testing.T) {
	tmpl, err := template.Parse(leaderboards.Template)
	require.NoError(t, err)
	for name, mb := range memoryMB {
		if name == functionEnqueue || name == functionIngest {
			continue // their test is one of the queue
		}
		f, is := tmpl.Function(name)
		require.True(t, is, name)
		require.InDelta(t, f.MemoryMB, mb, 1e-9, name)
	}
}

// A day of more players, or of more commands, never makes a cheaper month.
func TestMorePlayersNeverCostLess(t *testing.T) {
	l, err := price.Current()
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		few := Day{Players: rapid.IntRange(1, 100_000).Draw(t, "players"), Routes: map[string]Count{}}
		for _, route := range []string{routeSubmit, routePage, routeWeek, cronDaily, cronWeekly, routeCounters} {
			n := rapid.Int64Range(1, 1_000_000).Draw(t, route)
			few.Routes[route] = Count{Requests: n, Commands: 3 * n, RoundTrips: n, Sent: 100 * n, Received: 100 * n}
		}
		few.Weekly = few.Routes[cronWeekly]
		many := Day{Players: few.Players * 2, Routes: map[string]Count{}}
		for route, c := range few.Routes {
			many.Routes[route] = Count{Requests: 2 * c.Requests, Commands: 2 * c.Commands, RoundTrips: 2 * c.RoundTrips, Sent: 2 * c.Sent, Received: 2 * c.Received}
		}
		many.Weekly = many.Routes[cronWeekly]
		a, err := billOf(l, few.Month(billAge))
		require.NoError(t, err)
		b, err := billOf(l, many.Month(billAge))
		require.NoError(t, err)
		require.GreaterOrEqual(t, b.cheapest.Total, a.cheapest.Total-1e-9)
		require.GreaterOrEqual(t, b.without.Total, a.cheapest.Total-1e-9)
		require.LessOrEqual(t, a.cheapest.Total, a.byCommand.Total+1e-9)
	})
}

func TestAMonthOfADayIsWhatItsRequestsTake(t *testing.T) {
	m := sample(10_000, 0).Month(1)
	q := m.Quantities()
	require.InDelta(t, 8.05*10_000*price.DaysOfMonth, q[price.GatewayRequests], 1)
	require.InDelta(t, q[price.GatewayRequests]+(8+1.0/7)*price.DaysOfMonth, q[price.LambdaRequests], 1)
	require.InDelta(t, 9*10_000*price.DaysOfMonth, q[price.RedisCommands], 1)
	require.InDelta(t, 10_000*2.5*318*price.DaysOfMonth/1e9, q[price.PostgresStored], 1e-9)
	require.Zero(t, q[price.SQSRequests])
	queue := sample(10_000, time.Minute).Month(1).Quantities()
	require.Greater(t, queue[price.SQSRequests], 1.2*2.55*10_000*price.DaysOfMonth-1)
	require.InDelta(t, q[price.GatewayRequests], queue[price.GatewayRequests], 1, "batches do not come through the gateway")
	require.InDelta(t, 9, queue[price.AlarmMetrics], 1e-9)
}
