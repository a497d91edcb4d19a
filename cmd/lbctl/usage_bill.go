package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/framedle/leaderboards/internal/platform/progress"
)

// printBill prints what the month costs, item by item. A product of an earlier version does
// not say.
func printBill(out io.Writer, s *spending) error {
	b := s.Bill
	if b == nil || len(b.Plans) == 0 { // all is one's own
		return nil
	}
	var plans []string
	for _, vendor := range slices.Sorted(maps.Keys(b.Plans)) {
		plans = append(plans, vendor+" "+b.Plans[vendor])
	}
	_, _ = fmt.Fprintf(out, "\nthe month's bill, at list prices of %s, on the cheapest plans: %s\n", b.Prices, strings.Join(plans, ", "))
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(table, "dollars\tno free tiers\tquantity\t  of")
	for _, line := range b.Lines {
		if line.Quantity == 0 && line.Dollars == 0 && line.WithoutFreeTiers == 0 {
			continue
		}
		_, _ = fmt.Fprintf(table, "%.2f\t%.2f\t%s\t  %s %s\n", line.Dollars, line.WithoutFreeTiers, quantity(line.Quantity), line.Vendor, strings.ReplaceAll(line.Item, "_", " "))
	}
	_, _ = fmt.Fprintf(table, "%.2f\t%.2f\t\t  all\n", b.Dollars, b.WithoutFreeTiers)
	if err := table.Flush(); err != nil || len(b.NotCounted) == 0 {
		return err
	}
	_, err := fmt.Fprintf(out, "not counted: %s\n", strings.ReplaceAll(strings.Join(b.NotCounted, ", "), "_", " "))
	return err
}

// quantity formats a whole number, or a small number with two decimals.
func quantity(n float64) string {
	if n != float64(int64(n)) && n < 100 {
		return fmt.Sprintf("%.2f", n)
	}
	return progress.Count(int64(n + 0.5))
}
