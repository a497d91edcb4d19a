package costday

import (
	"fmt"
	"strings"

	"github.com/framedle/leaderboards/internal/platform/price"
	"github.com/framedle/leaderboards/internal/platform/progress"
)

// billAge is for how many months the database of the bill has kept results.
const billAge = 12

// Names in the list of prices: Upstash, and its plan that bills each command.
const (
	upstashVendor = "Upstash"
	payAsYouGo    = "pay as you go"
)

// billRows are the rows of the whole bill.
var billRows = []struct {
	name  string
	items []price.Item
}{
	{"API gateway", []price.Item{price.GatewayRequests}},
	{"Lambda, requests", []price.Item{price.LambdaRequests}},
	{"Lambda, GB-seconds", []price.Item{price.LambdaSeconds}},
	{"CloudWatch: metrics, alarms, dashboard", []price.Item{price.CustomMetrics, price.AlarmMetrics, price.Dashboards}},
	{"CloudWatch: logs", []price.Item{price.LogGB, price.LogStoredGB}},
	{"SQS, schedules", []price.Item{price.SQSRequests, price.ScheduledRuns}},
	{"bytes out of AWS", []price.Item{price.EgressGB}},
	{"Upstash: plan, commands", []price.Item{price.RedisCommands}},
	{"Upstash: bytes, storage", []price.Item{price.RedisGB, price.RedisStoredGB}},
	{"Neon: compute", []price.Item{price.PostgresHours}},
	{"Neon: storage, after a year", []price.Item{price.PostgresStored, price.PostgresGB}},
}

// billed is a month's bill in each way that the page shows.
type billed struct {
	cheapest, without, byCommand price.Bill
}

// billOf makes the bill of a month.
func billOf(l price.List, m price.Month) (b billed, err error) {
	q := m.Quantities()
	if b.cheapest, err = l.Bill(q, price.Choice{}); err != nil {
		return b, err
	}
	if b.without, err = l.Bill(q, price.Choice{NoFreeTiers: true}); err != nil {
		return b, err
	}
	b.byCommand, err = l.Bill(q, price.Choice{Plans: map[string]string{upstashVendor: payAsYouGo}})
	return b, err
}

// planOf is the fixed price of the Upstash plan, without usage.
func planOf(b price.Bill) (dollars float64) {
	for _, line := range b.Lines {
		if line.Vendor == upstashVendor && line.Item == "" {
			dollars += line.Dollars
		}
	}
	return dollars
}

// WholeBill returns a table of the month's bill at list prices, item by item, with a
// column for each day.
func WholeBill(days []Day) (string, error) {
	l, err := price.Current()
	if err != nil {
		return "", err
	}
	var all, young []billed
	titles := []string{"dollars a month"}
	for _, d := range days {
		one, err := billOf(l, d.Month(billAge))
		if err != nil {
			return "", fmt.Errorf("%d players: %w", d.Players, err)
		}
		first, err := billOf(l, d.Month(1))
		if err != nil {
			return "", fmt.Errorf("%d players: %w", d.Players, err)
		}
		all, young, titles = append(all, one), append(young, first), append(titles, progress.Count(int64(d.Players))+" players")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The whole bill of a month of such days, at list prices of %s, on the cheapest plans, with free tiers and (without):\n\n", l.Date)
	row(&b, titles...)
	fmt.Fprintf(&b, "|---|%s\n", strings.Repeat("--:|", len(days)))
	rowOf := func(name string, bills []billed, of func(billed) string) {
		texts := []string{name}
		for _, one := range bills {
			texts = append(texts, of(one))
		}
		row(&b, texts...)
	}
	cells := func(name string, of func(billed) string) { rowOf(name, all, of) }
	for _, r := range billRows {
		cells(r.name, func(one billed) string {
			with, without := one.cheapest.Of(r.items...), one.without.Of(r.items...)
			if r.items[0] == price.RedisCommands {
				with, without = with+planOf(one.cheapest), without+planOf(one.without)
			}
			return fmt.Sprintf("%.2f (%.2f)", with, without)
		})
	}
	total := func(one billed) string { return fmt.Sprintf("**%.2f** (%.2f)", one.cheapest.Total, one.without.Total) }
	cells("**all, after a year**", total)
	rowOf("**all, in the first month**", young, total)
	rowOf("… without the gateway", young, func(one billed) string {
		return fmt.Sprintf("%.2f", one.cheapest.Total-one.cheapest.Of(price.GatewayRequests))
	})
	rowOf("… with Upstash paid as you go", young, func(one billed) string { return fmt.Sprintf("%.2f", one.byCommand.Total) })
	cells("cheapest plan of Upstash", func(one billed) string { return one.cheapest.Plans[upstashVendor] })
	cells("cheapest plan of Neon", func(one billed) string { return one.cheapest.Plans["Neon"] })
	b.WriteString("\n")
	return b.String(), nil
}

// wholeBill writes the bill of the first day of each size.
func (r Report) wholeBill(b *strings.Builder, sizes []Size) {
	var days []Day
	for _, s := range sizes {
		days = append(days, s.Days[0])
	}
	table, err := WholeBill(days)
	if err != nil {
		table = fmt.Sprintf("There is no whole bill: %s.\n\n", err)
	}
	b.WriteString(table)
}
