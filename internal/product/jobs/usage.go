package jobs

import (
	"cmp"
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/internal/product/app"
)

// Usage makes the ledger of what was spent. The archive may be nil.
func Usage(a *app.App, kept *archive.Archive) *usage.Ledger {
	if kept == nil {
		return usage.NewLedger(a.Redis(), nil)
	}
	return usage.NewLedger(a.Redis(), pastUsage{kept.Usage})
}

// pastUsage is the archive as package usage uses it.
type pastUsage struct{ kept archive.UsageDays }

func (p pastUsage) KeepUsage(ctx context.Context, days []usage.Day) error {
	var rows []archive.Usage
	for _, d := range days {
		for function, c := range d.ByFunction {
			rows = append(rows, archive.Usage{Date: d.Date, Function: function, UsageCount: game.UsageCount(c)})
		}
	}
	if err := p.kept.Put(ctx, rows); err != nil {
		return err
	}
	return p.kept.PutParts(ctx, partsOf(days))
}

func partsOf(days []usage.Day) (parts []archive.UsagePart) {
	for _, d := range days {
		for of, c := range d.Parts {
			parts = append(parts, archive.UsagePart{
				Date: d.Date, Function: of.Function, Route: of.Route, Caller: of.Caller,
				Calls: c.Calls, Commands: c.Commands, RoundTrips: c.RoundTrips,
			})
		}
	}
	// Always in the same order, so that two concurrent runs do not deadlock on each other's
	// rows.
	slices.SortFunc(parts, func(a, b archive.UsagePart) int {
		return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.Function, b.Function), cmp.Compare(a.Route, b.Route), cmp.Compare(a.Caller, b.Caller))
	})
	return parts
}

func (p pastUsage) UsageParts(ctx context.Context, from, to game.Date) (map[game.Date]map[usage.Part]usage.Count, error) {
	parts, err := p.kept.Parts(ctx, from, to)
	if err != nil {
		return nil, err
	}
	days := map[game.Date]map[usage.Part]usage.Count{}
	for _, part := range parts {
		if days[part.Date] == nil {
			days[part.Date] = map[usage.Part]usage.Count{}
		}
		days[part.Date][usage.Part{Function: part.Function, Route: part.Route, Caller: part.Caller}] = usage.Count{
			Calls: part.Calls, Commands: part.Commands, RoundTrips: part.RoundTrips,
		}
	}
	return days, nil
}

func (p pastUsage) UsageDays(ctx context.Context, from, to game.Date) ([]usage.Day, error) {
	rows, err := p.kept.Between(ctx, from, to)
	if err != nil {
		return nil, err
	}
	var days []usage.Day
	for _, u := range rows {
		if len(days) == 0 || days[len(days)-1].Date != u.Date {
			days = append(days, usage.Day{Date: u.Date, ByFunction: map[string]usage.Count{}})
		}
		days[len(days)-1].ByFunction[u.Function] = usage.Count(u.UsageCount)
	}
	return days, nil
}

func (p pastUsage) KeepChecks(ctx context.Context, checks []usage.Check) error {
	rows := make([]game.UsageCheck, len(checks))
	for i, c := range checks {
		rows[i] = game.UsageCheck(c)
	}
	return p.kept.PutChecks(ctx, rows)
}

func (p pastUsage) Checks(ctx context.Context, from, to game.Date) ([]usage.Check, error) {
	rows, err := p.kept.Checks(ctx, from, to)
	checks := make([]usage.Check, len(rows))
	for i, c := range rows {
		checks[i] = usage.Check(c)
	}
	return checks, err
}
