package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"

	"github.com/spf13/cobra"
)

const usageLong = `Shows billed Redis commands by day and function, with Upstash's own count where it
is known, the projected month, its share of Upstash's plan, and its cost at
pay-as-you-go prices; then the bill of the month at list prices, item by item, with
and without free tiers. In games with a budget, also what is degraded.

With --by it shows usage by function, route, kind of caller or schedule instead:
today and the mean of the days before; with --by route also the budget of a call.
` + operatorToken + `
Exit status: 0 done, 2 failed.
`

type usageFlags struct {
	url     string
	days    int
	players int64
	by      string
}

// spending is the shown part of the answer of GET /v1/ops/usage.
type spending struct {
	Days []struct {
		Date       string
		Commands   int64
		Upstash    *int64
		Drift      float64
		Drifts     bool
		ByFunction map[string]spentBy `json:"by_function"`
		ByRoute    map[string]spentBy `json:"by_route"`
		ByCaller   map[string]spentBy `json:"by_caller"`
		BySchedule map[string]spentBy `json:"by_schedule"`
	}
	ProjectedMonth int64 `json:"projected_month"`
	Plan           struct {
		Commands int64
		Share    float64
	}
	Bill *struct {
		Prices           string
		Dollars          float64
		WithoutFreeTiers float64 `json:"dollars_without_free_tiers"`
		Plans            map[string]string
		Lines            []struct {
			Vendor, Item      string
			Quantity, Dollars float64
			WithoutFreeTiers  float64 `json:"dollars_without_free_tiers"`
		}
		NotCounted []string `json:"not_counted"`
	}
	WhatIf *struct {
		Months []struct {
			Players, Commands int64
			Dollars           float64
			WithoutFreeTiers  float64 `json:"dollars_without_free_tiers"`
		}
	} `json:"what_if"`
	Budget *struct {
		Month, Today, Allowance int64
		MonthBefore             int64 `json:"month_before"`
		ByNow                   int64 `json:"by_now"`
		Pace                    float64
		Degraded                []string
	}
}

// spentBy is what one function, route, caller or schedule has spent.
type spentBy struct {
	Calls, Commands, Accepted int64
	RoundTrips                int64  `json:"round_trips"`
	Budget                    *int64 // for routes
}

func usageCommand(c console) *cobra.Command {
	f := usageFlags{}
	cmd, flags := define("usage [flags]", "show command usage and cost", usageLong, 0)
	addURL(flags, &f.url, c)
	flags.IntVar(&f.days, "days", 30, "how many `days`, today included: 1 to 90")
	flags.StringVar(&f.by, "by", "", "show usage by `kind`: function, route, caller or schedule")
	flags.Int64Var(&f.players, "players", 0, "daily `players` now; also prints dollars for 1,000 of them, how many the plan supports, and the whole bill for other numbers")
	form := addForm(cmd)
	_ = cmd.RegisterFlagCompletionFunc("by", cobra.FixedCompletions([]string{"function", "route", "caller", "schedule"}, cobra.ShellCompDirectiveNoFileComp))
	return does(cmd, func(ctx context.Context, _ []string) (int, error) {
		if f.players < 0 || f.players > 10_000_000 {
			return statusFailed, fmt.Errorf("--players %d: use a number of daily players up to 10,000,000", f.players)
		}
		body, s, err := askUsage(ctx, f, c)
		if err != nil {
			return statusFailed, err
		}
		if form.json() {
			_, err = c.stdout.Write(append(body, '\n'))
			return statusGood, err
		}
		if f.by != "" {
			return statusGood, printSpenders(c.stdout, s, f.by)
		}
		return statusGood, printUsage(c.stdout, s, f.players)
	})
}

func askUsage(ctx context.Context, f usageFlags, c console) (body []byte, s *spending, err error) {
	query := url.Values{"days": {strconv.Itoa(f.days)}}
	if f.players > 0 {
		query.Set("players", strconv.FormatInt(f.players, 10))
	}
	if f.by != "" {
		query.Set("by", f.by)
	}
	body, err = askOperator(ctx, c, f.url, "/v1/ops/usage", query)
	if err != nil {
		return nil, nil, err
	}
	s = &spending{}
	if err := json.Unmarshal(body, s); err != nil || len(s.Days) == 0 {
		return nil, nil, errors.Join(errors.New("unexpected response to GET /v1/ops/usage"), err)
	}
	return body, s, nil
}
