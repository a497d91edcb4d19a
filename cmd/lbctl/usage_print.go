package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/framedle/leaderboards/internal/platform/progress"
	metering "github.com/framedle/leaderboards/internal/platform/usage"
)

// printUsage prints a table of days with a bar for each, and the month.
func printUsage(out io.Writer, s *spending, players int64) error {
	if err := printDays(out, s); err != nil {
		return err
	}
	for _, day := range s.Days {
		if day.Drifts {
			if _, err := fmt.Fprintf(out, "\n! %s: our count and Upstash's differ by %.1f%%; see docs/operate/usage.md\n", day.Date, 100*math.Abs(day.Drift)); err != nil {
				return err
			}
		}
	}
	if err := printMonth(out, s, players); err != nil {
		return err
	}
	if err := printBill(out, s); err != nil {
		return err
	}
	if players > 0 && s.WhatIf != nil {
		if err := printWhatIf(out, s); err != nil {
			return err
		}
	}
	if s.Budget == nil {
		return nil
	}
	return printBudget(out, s)
}

// printWhatIf prints what a month would cost with other numbers of players.
func printWhatIf(out io.Writer, s *spending) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(table, "\ndaily players\tcommands a month\tdollars\tno free tiers\t")
	for _, m := range s.WhatIf.Months {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%.2f\t%.2f\t\n", progress.Count(m.Players), progress.Count(m.Commands), m.Dollars, m.WithoutFreeTiers)
	}
	return table.Flush()
}

func printBudget(out io.Writer, s *spending) error {
	b := s.Budget
	_, err := fmt.Fprintf(out, "\nbudget              %s commands a month, %s before today\ntoday               %s of %s; %s expected by now (%.1f%%)\ndegraded            %s\n",
		progress.Count(b.Month), progress.Count(b.MonthBefore), progress.Count(b.Today), progress.Count(b.Allowance), progress.Count(b.ByNow),
		100*b.Pace, cmp.Or(strings.Join(b.Degraded, ", "), "nothing"))
	return err
}

func printDays(out io.Writer, s *spending) error {
	names := map[string]bool{}
	most, compared := int64(1), false
	for _, day := range s.Days {
		most, compared = max(most, day.Commands), compared || day.Upstash != nil
		for name := range day.ByFunction {
			names[name] = true
		}
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	cell := func(text string) { _, _ = fmt.Fprint(table, text, "\t") }
	functions := slices.Sorted(maps.Keys(names))
	for _, title := range append(append([]string{"date"}, functions...), "commands") {
		cell(title)
	}
	if compared {
		cell("upstash")
	}
	_, _ = fmt.Fprintln(table)
	for _, day := range s.Days {
		cell(day.Date)
		for _, name := range functions {
			cell(progress.Count(day.ByFunction[name].Commands))
		}
		cell(progress.Count(day.Commands))
		if compared {
			cell(upstashFigure(day.Upstash, day.Drifts))
		}
		_, _ = fmt.Fprintf(table, "  %s\n", progress.Bar(float64(day.Commands)/float64(most)))
	}
	return table.Flush()
}

// upstashFigure formats Upstash's figure, and marks it if it is too far from the product's
// own.
func upstashFigure(commands *int64, drifts bool) string {
	switch {
	case commands == nil:
		return "?"
	case drifts:
		return "! " + progress.Count(*commands)
	}
	return progress.Count(*commands)
}

func printMonth(out io.Writer, s *spending, players int64) error {
	commands, accepted := int64(0), int64(0)
	for _, day := range s.Days {
		commands += day.Commands
		for _, f := range day.ByFunction {
			accepted += f.Accepted
		}
	}
	var text strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
	month, plan := float64(s.ProjectedMonth)*metering.DollarsPerCommand, s.Plan.Commands // 0: a Redis of one's own
	say("\nprojected month     %s commands", progress.Count(s.ProjectedMonth))
	switch plan {
	case 0:
	case metering.FreePlan:
		say("free plan           %.1f%% of %s commands", 100*s.Plan.Share, progress.Count(plan))
	default:
		say("plan                %.1f%% of %s commands", 100*s.Plan.Share, progress.Count(plan))
	}
	if plan > 0 {
		say("pay as you go       $%.2f", month)
	}
	if accepted > 0 {
		say("accepted score      %.2f commands, of all functions", float64(commands)/float64(accepted))
	}
	if plan > 0 && players > 0 {
		say("1,000 daily players $%.2f a month", month/float64(players)*1000)
		if s.ProjectedMonth > 0 {
			say("the plan supports   %s daily players", progress.Count(int64(float64(plan)/float64(s.ProjectedMonth)*float64(players))))
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}
