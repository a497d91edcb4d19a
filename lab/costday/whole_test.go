package costday

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/price"
	"github.com/framedle/leaderboards/internal/template"
)

var update = flag.Bool("update", false, "write the tables of docs/cost.md anew")

// The marks around the tables in the page.
const (
	leversBegin = "<!-- the whole bill, by lab/costday -->\n"
	leversEnd   = "<!-- end of the whole bill -->\n"
)

func TestThePageHasTheWholeBill(t *testing.T) {
	const page = "../../docs/cost.md"
	want, err := Levers()
	require.NoError(t, err)
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), leversBegin)
	old, after, ended := strings.Cut(rest, leversEnd)
	require.True(t, found && ended)
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(before+leversBegin+"\n"+want+leversEnd+after), 0o644))
		return
	}
	require.Equal(t, "\n"+want, old, "go test ./lab/costday -run WholeBill -update writes it")
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
		{Players: 100, Days: []Day{levers[atOnceLever].sample(100)}, Record: levers[atOnceLever].sample(100)},
		{Players: 1_000, Days: []Day{levers[atOnceLever].sample(1_000)}, Record: levers[atOnceLever].sample(1_000)},
	}}
	want, err := WholeBill([]Day{r.Sizes[0].Days[0], r.Sizes[1].Days[0]})
	require.NoError(t, err)
	require.Contains(t, r.Markdown(), want)
}

func TestFunctionsHaveTheMemoryOfTheTemplate(t *testing.T) {
	tmpl, err := template.Parse(leaderboards.Template)
	require.NoError(t, err)
	for name, mb := range memoryMB {
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

// The page's statements about sizes and plans follow from the same values.
func TestAMonthOfADayIsWhatItsRequestsTake(t *testing.T) {
	m := levers[atOnceLever].sample(10_000).Month(1)
	q := m.Quantities()
	require.InDelta(t, 8.05*10_000*price.DaysOfMonth, q[price.GatewayRequests], 1)
	require.InDelta(t, q[price.GatewayRequests]+(8+1.0/7)*price.DaysOfMonth, q[price.LambdaRequests], 1)
	require.InDelta(t, 8.73*10_000*price.DaysOfMonth, q[price.RedisCommands], 1)
	require.InDelta(t, 10_000*2.5*318*price.DaysOfMonth/1e9, q[price.PostgresStored], 1e-9)
	require.Zero(t, q[price.SQSRequests])
	queue := levers[queueLever].sample(10_000).Month(1).Quantities()
	require.Greater(t, queue[price.SQSRequests], 1.2*2.55*10_000*price.DaysOfMonth-1)
	require.InDelta(t, q[price.GatewayRequests], queue[price.GatewayRequests], 1, "batches do not come through the gateway")
	require.InDelta(t, 9, queue[price.AlarmMetrics], 1e-9)
}
