package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/framedle/leaderboards/internal/platform/progress"
)

// spender is one row of the table: the last day next to the days before.
type spender struct {
	name         string
	before, last spentBy
	budget       string // for routes
}

// printSpenders prints, the most expensive first, who has spent how much on the last day, and on
// average on the days before it from the first day with any commands on.
func printSpenders(out io.Writer, s *spending, by string) error {
	rows := map[string]*spender{}
	days := s.Days
	for len(days) > 1 && days[0].Commands == 0 {
		days = days[1:]
	}
	for i, day := range days {
		last := i == len(days)-1
		for name, c := range map[string]map[string]spentBy{
			"function": day.ByFunction, "route": day.ByRoute, "caller": day.ByCaller, "schedule": day.BySchedule,
		}[by] {
			if rows[name] == nil {
				rows[name] = &spender{name: name}
			}
			if c.Budget != nil {
				rows[name].budget = fmt.Sprint(*c.Budget)
			}
			if last {
				rows[name].last = c
			} else {
				rows[name].before.Commands += c.Commands
			}
		}
	}
	sorted := slices.SortedFunc(maps.Values(rows), func(a, b *spender) int {
		return cmp.Or(cmp.Compare(b.last.Commands, a.last.Commands), cmp.Compare(b.before.Commands, a.before.Commands), cmp.Compare(a.name, b.name))
	})
	today := days[len(days)-1]
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(cells []string, budget string) {
		if by == "route" { // only routes have budgets
			cells = slices.Insert(cells, afterEach, budget)
		}
		_, _ = fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	line([]string{"before", today.Date, "", "calls", "per call", "round trips", "  " + by}, "budget")
	total := spender{name: "all"}
	for _, r := range sorted {
		total.before.Commands += r.before.Commands
		total.last.Commands += r.last.Commands
		total.last.Calls += r.last.Calls
		total.last.RoundTrips += r.last.RoundTrips
	}
	for _, r := range append(sorted, &total) {
		line(r.cells(int64(len(days)-1)), r.budget)
	}
	return table.Flush()
}

// afterEach is the index of the cell after the cost of a call: the budget goes there.
const afterEach = 5

// cells returns the cells of a row.
func (r *spender) cells(days int64) []string {
	before, times := "", ""
	if days > 0 {
		mean := float64(r.before.Commands) / float64(days)
		before = progress.Count(int64(mean + 0.5))
		if mean >= 1 {
			times = fmt.Sprintf("%.1fx", float64(r.last.Commands)/mean)
		}
	}
	each := ""
	if r.last.Calls > 0 {
		each = fmt.Sprintf("%.2f", float64(r.last.Commands)/float64(r.last.Calls))
	}
	return []string{before, progress.Count(r.last.Commands), times, progress.Count(r.last.Calls), each, progress.Count(r.last.RoundTrips), "  " + r.name}
}
