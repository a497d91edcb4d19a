package ops

import (
	"slices"

	"github.com/framedle/leaderboards/internal/platform/price"
)

// usageBill is the cost of the month at list prices.
type usageBill struct {
	Prices           string            `json:"prices"` // the day of the price list
	Dollars          float64           `json:"dollars"`
	WithoutFreeTiers float64           `json:"dollars_without_free_tiers"`
	Plans            map[string]string `json:"plans"` // by vendor
	Lines            []billLine        `json:"lines"`
	NotCounted       []string          `json:"not_counted"` // vendors, and items of other vendors
}

type billLine struct {
	Vendor           string  `json:"vendor"`
	Item             string  `json:"item"`
	Quantity         float64 `json:"quantity"`
	Unit             string  `json:"unit"`
	Dollars          float64 `json:"dollars"`
	WithoutFreeTiers float64 `json:"dollars_without_free_tiers"`
}

// billedPlan is the item for the price of a plan itself.
const billedPlan = "plan"

// notMeasured are the items of which no quantity is known anywhere.
var notMeasured = []struct {
	vendor string
	item   price.Item
}{{"Upstash", price.RedisStoredGB}, {"Neon", price.PostgresStored}, {"Neon", price.PostgresGB}}

// billOf is the bill of quantities on each vendor's cheapest plan that allows them, and the
// same without free tiers, and without the vendors whose part is not known.
func billOf(list price.List, quantities price.Quantities, unknown []string) (usageBill, error) {
	with, err := list.Bill(quantities, price.Choice{})
	if err != nil {
		return usageBill{}, err
	}
	without, err := list.Bill(quantities, price.Choice{NoFreeTiers: true})
	if err != nil {
		return usageBill{}, err
	}
	answer := usageBill{Prices: list.Date, Plans: with.Plans, Lines: []billLine{}, NotCounted: []string{}}
	for _, of := range notMeasured {
		if !slices.Contains(unknown, of.vendor) {
			answer.NotCounted = append(answer.NotCounted, string(of.item))
		}
	}
	answer.NotCounted = append(answer.NotCounted, unknown...)
	for _, vendor := range unknown {
		delete(answer.Plans, vendor)
	}
	for _, line := range merged(with, without) {
		if slices.Contains(answer.NotCounted, line.Item) || slices.Contains(answer.NotCounted, line.Vendor) {
			continue
		}
		answer.Dollars += line.Dollars
		answer.WithoutFreeTiers += line.WithoutFreeTiers
		line.Quantity, line.Dollars, line.WithoutFreeTiers = tenThousandths(line.Quantity), tenThousandths(line.Dollars), tenThousandths(line.WithoutFreeTiers)
		answer.Lines = append(answer.Lines, line)
	}
	answer.Dollars, answer.WithoutFreeTiers = tenThousandths(answer.Dollars), tenThousandths(answer.WithoutFreeTiers)
	return answer, nil
}

// merged has the lines of two bills of the same quantities, side by side.
func merged(with, without price.Bill) (lines []billLine) {
	take := func(l price.Line, dollars, withoutFreeTiers float64) {
		item, unit := string(l.Item), l.Item.Unit()
		if l.Item == "" {
			item, unit = billedPlan, "months"
		}
		at := slices.IndexFunc(lines, func(known billLine) bool { return known.Vendor == l.Vendor && known.Item == item })
		if at < 0 {
			at, lines = len(lines), append(lines, billLine{Vendor: l.Vendor, Item: item, Quantity: l.Quantity, Unit: unit})
		}
		lines[at].Dollars += dollars
		lines[at].WithoutFreeTiers += withoutFreeTiers
	}
	for _, l := range with.Lines {
		take(l, l.Dollars, 0)
	}
	for _, l := range without.Lines {
		take(l, 0, l.Dollars)
	}
	return lines
}
