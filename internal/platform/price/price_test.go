package price_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/platform/price"
)

func current(t require.TestingT) price.List {
	l, err := price.Current()
	require.NoError(t, err)
	return l
}

func items(l price.List) (all []price.Item) {
	for _, v := range l.Vendors {
		for _, m := range v.Plans[0].Meters {
			all = append(all, m.Item)
		}
	}
	return all
}

// draw draws a month that every vendor has a plan for.
func draw(t *rapid.T, l price.List, label string) price.Quantities {
	q := price.Quantities{}
	for _, item := range items(l) {
		most := 1e9
		if item == price.RedisStoredGB {
			most = 100
		}
		q[item] = rapid.Float64Range(0, most).Draw(t, label+string(item))
	}
	return q
}

func ExampleList_Bill() {
	l, err := price.Current()
	if err != nil {
		panic(err)
	}
	for _, commands := range []float64{500_000, 500_001, 6_000_000} {
		b, err := l.Bill(price.Quantities{price.RedisCommands: commands}, price.Choice{})
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s, $%.2f\n", b.Plans["Upstash"], b.Total)
	}
	// Output:
	// free, $0.00
	// pay as you go, $1.00
	// fixed 250 MB, $10.00
}

func TestABillIsTheSumOfItsLines(t *testing.T) {
	l := current(t)
	rapid.Check(t, func(t *rapid.T) {
		b, err := l.Bill(draw(t, l, ""), price.Choice{NoFreeTiers: rapid.Bool().Draw(t, "no free tiers")})
		require.NoError(t, err)
		sum, vendors := 0.0, 0.0
		for _, line := range b.Lines {
			require.GreaterOrEqual(t, line.Dollars, 0.0)
			sum += line.Dollars
		}
		for name := range b.Plans {
			vendors += b.OfVendor(name)
		}
		require.InDelta(t, b.Total, sum, 1e-6*(1+sum))
		require.InDelta(t, b.Total, vendors, 1e-6*(1+sum))
		require.InDelta(t, b.Total, b.Of(append(items(l), "")...), 1e-6*(1+sum))
	})
}

// More of anything never costs less: not even where a dearer plan begins.
func TestMoreNeverCostsLess(t *testing.T) {
	l := current(t)
	rapid.Check(t, func(t *rapid.T) {
		c := price.Choice{NoFreeTiers: rapid.Bool().Draw(t, "no free tiers")}
		less := draw(t, l, "")
		more := price.Quantities{}
		for item, n := range less {
			more[item] = n
		}
		item := rapid.SampledFrom(items(l)).Draw(t, "item")
		room := 1e9
		if item == price.RedisStoredGB {
			room = 100 - less[item]
		}
		more[item] += rapid.Float64Range(0, room).Draw(t, "more")
		a, err := l.Bill(less, c)
		require.NoError(t, err)
		b, err := l.Bill(more, c)
		require.NoError(t, err)
		require.GreaterOrEqual(t, b.Total, a.Total-1e-6*(1+a.Total))
	})
}

// Free tiers never make a month dearer, and take no more off than all of them.
func TestFreeTiersTakeOffWhatTheySay(t *testing.T) {
	l := current(t)
	rapid.Check(t, func(t *rapid.T) {
		q := draw(t, l, "")
		plan := price.Choice{Plans: map[string]string{"Upstash": "pay as you go", "Neon": "launch"}}
		with, err := l.Bill(q, plan)
		require.NoError(t, err)
		plan.NoFreeTiers = true
		without, err := l.Bill(q, plan)
		require.NoError(t, err)
		free := 0.0
		for _, v := range l.Vendors {
			for _, p := range v.Plans {
				if p.Name == with.Plans[v.Name] {
					for _, m := range p.Meters {
						if m.Per > 0 {
							free += min(m.Free, q[m.Item]) / m.Per * m.Dollars
						}
					}
				}
			}
		}
		require.InDelta(t, without.Total, with.Total+free, 1e-6*(1+without.Total))
	})
}

// No plan that takes a month is cheaper than the one that is chosen.
func TestTheCheapestPlanIsChosen(t *testing.T) {
	l := current(t)
	rapid.Check(t, func(t *rapid.T) {
		q := price.Quantities{
			price.RedisCommands: rapid.Float64Range(0, 1e8).Draw(t, "commands"), price.RedisGB: rapid.Float64Range(0, 600).Draw(t, "bytes"),
			price.RedisStoredGB: rapid.Float64Range(0, 12).Draw(t, "stored"),
		}
		best, err := l.Bill(q, price.Choice{})
		require.NoError(t, err)
		for _, p := range l.Vendors[1].Plans {
			if other, err := l.Bill(q, price.Choice{Plans: map[string]string{"Upstash": p.Name}}); err == nil {
				require.GreaterOrEqual(t, other.Total, best.Total, p.Name)
			}
		}
	})
}

func TestNothingCostsNothing(t *testing.T) {
	b, err := current(t).Bill(price.Quantities{}, price.Choice{})
	require.NoError(t, err)
	require.Zero(t, b.Total)
	b, err = current(t).Bill(price.Month{}.Quantities(), price.Choice{NoFreeTiers: true})
	require.NoError(t, err)
	require.Zero(t, b.Total)
}

// The edges of free tiers and plans, of the list as it stands.
func TestEdges(t *testing.T) {
	l := current(t)
	for _, test := range []struct {
		item         price.Item
		free, beyond float64 // what costs nothing, and what a unit more costs
		dollars      float64
	}{
		{price.LambdaRequests, 1_000_000, 2_000_000, 0.20},
		{price.LambdaSeconds, 400_000, 475_000, 1},
		{price.CustomMetrics, 10, 11, 0.30},
		{price.AlarmMetrics, 10, 11, 0.10},
		{price.Dashboards, 3, 4, 3},
		{price.LogGB, 5, 7, 1},
		{price.SQSRequests, 1_000_000, 2_000_000, 0.40},
		{price.EgressGB, 100, 101, 0.09},
		{price.GatewayRequests, 0, 1_000_000, 1},
		{price.RedisCommands, 500_000, 600_000, 1.20},
		{price.PostgresHours, 100, 101, 10.706},
		{price.PostgresStored, 0.5, 1, 0.35},
		{price.RedisStoredGB, 0.256, 1, 0},
	} {
		b, err := l.Bill(price.Quantities{test.item: test.free}, price.Choice{})
		require.NoError(t, err)
		require.Zero(t, b.Total, test.item)
		b, err = l.Bill(price.Quantities{test.item: test.beyond}, price.Choice{})
		require.NoError(t, err)
		require.InDelta(t, test.dollars, b.Total, 1e-4, test.item)
	}
	_, err := l.Bill(price.Quantities{price.RedisStoredGB: 501}, price.Choice{})
	require.ErrorContains(t, err, "Upstash: no plan that may be chosen takes so much")
	_, err = l.Bill(price.Quantities{price.RedisStoredGB: 2}, price.Choice{Plans: map[string]string{"Upstash": "fixed 1 GB"}})
	require.ErrorContains(t, err, "Upstash: no plan that may be chosen takes so much")
	_, err = l.Bill(nil, price.Choice{Plans: map[string]string{"Neon": "huge"}})
	require.EqualError(t, err, `Neon: there is no plan "huge"`)
}

func TestAMonthTakesWhatItsCallsTake(t *testing.T) {
	q := price.Month{
		Functions: map[string]price.Function{
			"submit":     {Calls: 2_000_000, Milliseconds: 10, MemoryMB: 256, ColdStarts: 1000, InitMS: 100, Gateway: true},
			"cron-daily": {Calls: 30, Milliseconds: 60_000, MemoryMB: 512},
		},
		LogLineBytes: 224, LogDays: 14, Queued: 1_000_000, HasQueue: true, AnswerBytes: 3e9, RedisBytes: 4e9, RedisSent: 2e9, Commands: 7,
	}.Quantities()
	require.InDelta(t, 2_000_000, q[price.GatewayRequests], 1e-9, "schedules do not come through the gateway")
	require.InDelta(t, 2_000_030, q[price.LambdaRequests], 1e-9)
	require.InDelta(t, (20_000+100)*0.25+30*60*0.5, q[price.LambdaSeconds], 1e-6)
	require.InDelta(t, 2_000_030*250/1e9, q[price.LogGB], 1e-9)
	require.InDelta(t, q[price.LogGB]*14/30.4375, q[price.LogStoredGB], 1e-9)
	require.InDelta(t, 1_200_000+657_450, q[price.SQSRequests], 1)
	require.InDelta(t, 5, q[price.EgressGB], 1e-9)
	require.Zero(t, price.Month{Queued: 5}.Quantities()[price.SQSRequests], "there is no queue")
}

func TestAListThatDoesNotHoldIsRefused(t *testing.T) {
	const good = `{"date": "2026-11-22", "region": "r", "vendors": [{"name": "A", "sources": ["s"], "plans": [{"name": "p", "meters": [%s]}]}]}`
	whole := ""
	for _, item := range items(current(t)) {
		whole += fmt.Sprintf(`{"item": %q},`, item)
	}
	whole = strings.TrimSuffix(whole, ",")
	_, err := price.Parse(fmt.Appendf(nil, good, whole))
	require.NoError(t, err)
	for says, text := range map[string]string{
		"want the day on which they were looked up": strings.Replace(fmt.Sprintf(good, whole), "2026-11-22", "yesterday", 1),
		`date is "lately": want the day`:            strings.Replace(fmt.Sprintf(good, whole), `"name": "p"`, `"name": "p", "date": "lately"`, 1),
		"A needs sources and plans":                 strings.Replace(fmt.Sprintf(good, whole), `["s"]`, `[]`, 1),
		`"coffee" is no item`:                       fmt.Sprintf(good, `{"item": "coffee"}`),
		"there is no price for":                     fmt.Sprintf(good, `{"item": "log_gb"}`),
		"log_gb is listed twice":                    fmt.Sprintf(good, `{"item": "log_gb"}, {"item": "log_gb"}`),
		"per is what the price buys":                fmt.Sprintf(good, `{"item": "log_gb", "dollars": 1}`),
		"unknown field":                             fmt.Sprintf(good, `{"item": "log_gb", "dollar": 1}`),
		"log_gb has a price on a plan that is free": strings.Replace(fmt.Sprintf(good, `{"item": "log_gb", "dollars": 1, "per": 1}`), `"name": "p"`, `"name": "p", "is_free": true`, 1),
		"a month costs -1":                          strings.Replace(fmt.Sprintf(good, whole), `"name": "p"`, `"name": "p", "dollars": -1`, 1),
		"all plans of a vendor name the same items": strings.Replace(fmt.Sprintf(good, whole), `"plans": [`, `"plans": [{"name": "q", "meters": []},`, 1),
		"B and A both bill":                         strings.Replace(fmt.Sprintf(good, whole), `"vendors": [`, `"vendors": [{"name": "B", "sources": ["s"], "plans": [{"name": "q", "meters": [{"item": "log_gb"}]}]},`, 1),
		"invalid character":                         "prices",
	} {
		t.Run(says, func(t *testing.T) {
			_, err := price.Parse([]byte(text))
			require.ErrorContains(t, err, says)
		})
	}
}

func TestPricesSayWhereTheyAreFrom(t *testing.T) {
	l := current(t)
	require.NotEmpty(t, l.Region)
	for _, v := range l.Vendors {
		for _, s := range v.Sources {
			require.True(t, strings.HasPrefix(s, "https://"), s)
		}
	}
	for _, item := range items(l) {
		require.NotEmpty(t, item.Unit(), item)
	}
}
