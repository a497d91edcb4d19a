package ops

import (
	"context"
	"fmt"
	"math"
	"net/http"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/budget"
	"github.com/framedle/leaderboards/internal/platform/price"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// usages are the endpoints of what the product costs.
type usages struct{ Config }

// How many days one request may ask for.
const (
	usualUsageDays = 30
	mostUsageDays  = 90
)

type usageAnswer struct {
	Days           []usageDay `json:"days"`
	ProjectedMonth int64      `json:"projected_month"`
	Plan           usagePlan  `json:"plan"`
	Bill           usageBill  `json:"bill"`
	WhatIf         *whatIf    `json:"what_if,omitempty"`

	Budget *usageBudget `json:"budget,omitempty"`
}

// usageBudget is the budget's state in a process that has just read it. Pace is a share, 1
// for 100%.
type usageBudget struct {
	Month       int64    `json:"month"`
	MonthBefore int64    `json:"month_before"`
	Today       int64    `json:"today"`
	Allowance   int64    `json:"allowance"`
	ByNow       int64    `json:"by_now"`
	Pace        float64  `json:"pace"`
	Level       int      `json:"level"`
	Degraded    []string `json:"degraded"`
}

type usageDay struct {
	Date       string                   `json:"date"`
	Commands   int64                    `json:"commands"`
	RoundTrips int64                    `json:"round_trips"`
	Upstash    *int64                   `json:"upstash,omitempty"`
	Drift      *float64                 `json:"drift,omitempty"`
	Drifts     bool                     `json:"drifts,omitempty"`
	ByFunction map[string]functionUsage `json:"by_function"`
	usageShares
}

type functionUsage struct {
	Calls         int64 `json:"calls"`
	Commands      int64 `json:"commands"`
	RoundTrips    int64 `json:"round_trips"`
	BytesSent     int64 `json:"bytes_sent"`
	BytesReceived int64 `json:"bytes_received"`
	Failed        int64 `json:"failed"`
	Throttled     int64 `json:"throttled"`
	Replayed      int64 `json:"replayed"`
	Accepted      int64 `json:"accepted"`
	Queries       int64 `json:"queries"`
	Rows          int64 `json:"rows"`
}

type usagePlan struct {
	Commands int64   `json:"commands"`
	Share    float64 `json:"share"`
}

// GetUsage answers what was spent by day and function, and by another kind of part: GET
// /v1/ops/usage. The projection always uses the last week.
func (u usages) GetUsage(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	asked := int(q.Number("days", usualUsageDays, 1, mostUsageDays))
	by, players := usageBy(q), q.Number("players", 0, 1, mostPlayers)
	if err := q.Done(); err != nil {
		return err
	}
	today := game.DateOf(u.Now())
	days, err := u.Usage.Days(r.Context(), today.AddDays(1-max(asked, usage.ProjectionDays)), today)
	if err != nil {
		return fmt.Errorf("tell what days cost: %w", err)
	}
	month, plan := usage.ProjectMonth(days), usage.Included(u.Plan)
	answer := usageAnswer{ProjectedMonth: month, Plan: usagePlan{plan, tenThousandths(usage.Share(month, plan))}}
	list, err := price.Current()
	if err != nil {
		return fmt.Errorf("tell what the month costs: %w", err)
	}
	growth := usage.Grow(days)
	unknown := u.unknown(growth.IsLambda)
	if answer.Bill, err = billOf(list, growth.Now, unknown); err != nil {
		return fmt.Errorf("tell what the month costs: %w", err)
	}
	if plan > 0 {
		if answer.WhatIf, err = whatIfOf(list, growth, unknown, float64(players), len(u.Game.Modes)); err != nil {
			return fmt.Errorf("tell what more players cost: %w", err)
		}
	}
	got := days[len(days)-asked:]
	if by != byFunction {
		if err := u.Usage.Detail(r.Context(), got); err != nil {
			return fmt.Errorf("tell what days cost by %s: %w", by, err)
		}
	}
	for _, d := range got {
		answer.Days = append(answer.Days, u.showDay(d, by))
	}
	if answer.Budget, err = u.showBudget(r.Context()); err != nil {
		return fmt.Errorf("tell what days cost: %w", err)
	}
	return respond.JSON(w, r.Request, http.StatusOK, answer)
}

// unknown are the vendors whose part of the bill is not known: quantities of AWS and Neon are
// known on Lambda only, and a Redis of one's own is not Upstash's.
func (u usages) unknown(isLambda bool) (vendors []string) {
	if !isLambda {
		vendors = append(vendors, "AWS", "Neon")
	}
	if u.Plan == usage.NoPlan {
		vendors = append(vendors, "Upstash")
	}
	return vendors
}

// showBudget is the state of the budget; nil if the game has none.
func (u usages) showBudget(ctx context.Context) (*usageBudget, error) {
	rule, now := u.Game.Budget, u.Now()
	if rule.Month == 0 {
		return nil, nil
	}
	spent, err := u.Usage.Month(ctx, game.DateOf(now))
	if err != nil {
		return nil, err
	}
	allowance, pace := budget.Allowance(rule.Month, spent, now), budget.Pace(rule.Month, spent, now)
	m := budget.At(rule, pace)
	return &usageBudget{
		Month: rule.Month, MonthBefore: spent.Before, Today: spent.Today,
		Allowance: int64(allowance), ByNow: int64(budget.ByNow(allowance, now)),
		Pace: tenThousandths(pace), Level: m.Level(), Degraded: m.Names(),
	}, nil
}

// showDay is a day, split by the requested kind of part.
func (u usages) showDay(d usage.Day, by string) usageDay {
	total := d.Total()
	answer := usageDay{Date: d.Date.String(), Commands: total.Commands, RoundTrips: total.RoundTrips, ByFunction: map[string]functionUsage{}, usageShares: u.sharesOf(d, by)}
	for function, c := range d.ByFunction {
		answer.ByFunction[function] = functionUsage{
			Calls: c.Calls, Commands: c.Commands, RoundTrips: c.RoundTrips, BytesSent: c.Sent, BytesReceived: c.Received,
			Failed: c.Failed, Throttled: c.Throttled, Replayed: c.Replayed, Accepted: c.Accepted, Queries: c.Queries, Rows: c.Rows,
		}
	}
	if d.Check != nil {
		answer.Upstash, answer.Drifts = &d.Check.Upstash, d.Check.Drifts()
		if part, compared := d.Check.Drift(); compared {
			part = tenThousandths(part)
			answer.Drift = &part
		}
	}
	return answer
}

func tenThousandths(part float64) float64 { return math.Round(part*10_000) / 10_000 }
