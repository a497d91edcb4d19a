package ops

import (
	"slices"

	"github.com/framedle/leaderboards/internal/price"
)

// usageBill is what the month costs at list prices.
type usageBill struct {
	Prices           string            `json:"prices"` // the day on which they were looked up
	Dollars          float64           `json:"dollars"`
	WithoutFreeTiers float64           `json:"dollars_without_free_tiers"`
	Plans            map[string]string `json:"plans"` // by vendor
	Lines            []billLine        `json:"lines"`
	NotCounted       []string          `json:"not_counted"` // vendors, and items of others
}

type billLine struct {
	Vendor           string  `json:"vendor"`
	Item             string  `json:"item"`
	Quantity         float64 `json:"quantity"`
	Unit             string  `json:"unit"`
	Dollars          float64 `json:"dollars"`
	WithoutFreeTiers float64 `json:"dollars_without_free_tiers"`
}

// billedPlan stands as the item of what a plan costs, whatever is used.
const billedPlan = "plan"

// The vendors whose part is known on Lambda alone.
var onLambda = []string{"AWS", "Neon"}

// billOf is the bill of quantities, each vendor's plan being the cheapest that takes
// it. Without free tiers there is another one. Elsewhere than on Lambda Upstash's part
// alone is known.
func billOf(list price.List, quantities price.Quantities, isLambda bool) (usageBill, error) {
	with, err := list.Bill(quantities, price.Choice{})
	if err != nil {
		return usageBill{}, err
	}
	without, err := list.Bill(quantities, price.Choice{NoFreeTiers: true})
	if err != nil {
		return usageBill{}, err
	}
	told := usageBill{Prices: list.Date, Plans: with.Plans, Lines: []billLine{}, NotCounted: []string{string(price.RedisStoredGB), string(price.PostgresStored), string(price.PostgresGB)}}
	if !isLambda {
		told.NotCounted = append([]string{string(price.RedisStoredGB)}, onLambda...)
		for _, vendor := range onLambda {
			delete(told.Plans, vendor)
		}
	}
	for _, line := range merged(with, without) {
		if slices.Contains(told.NotCounted, line.Item) || slices.Contains(told.NotCounted, line.Vendor) {
			continue
		}
		told.Dollars += line.Dollars
		told.WithoutFreeTiers += line.WithoutFreeTiers
		line.Quantity, line.Dollars, line.WithoutFreeTiers = tenThousandths(line.Quantity), tenThousandths(line.Dollars), tenThousandths(line.WithoutFreeTiers)
		told.Lines = append(told.Lines, line)
	}
	told.Dollars, told.WithoutFreeTiers = tenThousandths(told.Dollars), tenThousandths(told.WithoutFreeTiers)
	return told, nil
}

// merged are the lines of two bills of the same quantities.
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
