package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/framedle/leaderboards/internal/platform/progress"
	"github.com/framedle/leaderboards/internal/platform/status"
)

const statusLong = `Shows health: whether writes are accepted, the last and next run of each schedule,
days that are not closed, not archived, missing or lost, dead letters, the database
schema, the circuit breaker, command usage, and how to fix problems.
` + operatorToken + `
Exit status: 0 no problems, 1 problems, 2 no response.
`

func statusCommand(c console) *cobra.Command {
	var url string
	cmd, flags := define("status [flags]", "show health, and how to fix problems", statusLong, 0)
	addURL(flags, &url, c)
	form := addForm(cmd)
	return does(cmd, func(ctx context.Context, _ []string) (int, error) {
		body, err := askOperator(ctx, c, url, "/v1/ops/status", nil)
		if err != nil {
			return statusFailed, err
		}
		var s status.Status
		if err := json.Unmarshal(body, &s); err != nil || s.Now.IsZero() {
			return statusFailed, fmt.Errorf("unexpected response to GET /v1/ops/status: %.200q", body)
		}
		if form.json() {
			_, err = c.stdout.Write(append(body, '\n'))
		} else {
			err = printStatus(c.stdout, s)
		}
		if err != nil {
			return statusFailed, err
		}
		if !s.Good {
			return statusFaults, nil
		}
		return statusGood, nil
	})
}

func printStatus(out io.Writer, s status.Status) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) { _, _ = fmt.Fprintf(w, name+"\t"+format+"\n", args...) }
	line("game", "%s, build %s, %s", s.Game, s.Version, s.Now.Format(time.RFC3339))
	if s.Redis.Circuit == "open" {
		line("redis", "NOT RESPONDING (some figures unavailable)")
		line("database", "%s", describeDatabase(s.Database))
		printLetters(line, s.Dead)
		printProblems(line, s)
		return w.Flush()
	}
	line("writes", "%s", describeWrites(s.Writes))
	line("database", "%s", describeDatabase(s.Database))
	if s.Redis.Failures > 0 {
		line("redis", "%d consecutive failures in this process, last: %s", s.Redis.Failures, s.Redis.Last)
	}
	for _, f := range s.Schedules {
		late := ""
		if f.Late {
			late = ", LATE"
		}
		line(f.Function, "last %s, next %s%s", describeRun(f.Last), f.Next.Format("2006-01-02 15:04"), late)
	}
	line("days", "open %s; archived through %s", strings.Join(s.Days.Open, " "), cmp.Or(s.Days.Archived, "none"))
	for _, list := range []struct {
		name string
		days []string
	}{{"unclosed", s.Days.Unclosed}, {"unarchived", s.Days.Unarchived}, {"missing", s.Days.Missing}, {"lost", s.Days.Lost}} {
		if len(list.days) > 0 {
			line(list.name, "%s", strings.Join(list.days, ", "))
		}
	}
	if s.Repaired != nil {
		line("repaired", "last rebuild of lost boards: %s", describeRun(s.Repaired))
	}
	printLetters(line, s.Dead)
	plan := ""
	if s.Spent.Plan > 0 {
		plan = fmt.Sprintf(", %.1f%% of the plan's %s", 100*s.Spent.Share, progress.Count(s.Spent.Plan))
	}
	line("commands", "%s today, %s projected this month%s", progress.Count(s.Spent.Today), progress.Count(s.Spent.Projected), plan)
	if s.Spent.Drift != nil {
		line("drift", "%+.1f%% vs. Upstash's count", 100**s.Spent.Drift)
	}
	if len(s.Spent.Degraded) > 0 {
		line("budget", "degraded by budget: %s", strings.Join(s.Spent.Degraded, ", "))
	}
	printProblems(line, s)
	return w.Flush()
}

func printProblems(line func(name, format string, args ...any), s status.Status) {
	if s.Good {
		line("OK", "no problems")
	}
	for _, p := range s.Problems {
		line("PROBLEM", "%s", p.What)
		line("", "do: %s", p.Do)
	}
}

// printLetters prints the dead letters of the queues that exist.
func printLetters(line func(name, format string, args ...any), dead status.Dead) {
	var kinds []string
	if dead.Runs != nil {
		kinds = append(kinds, fmt.Sprintf("%d scheduled runs", *dead.Runs))
	}
	if dead.Scores != nil {
		kinds = append(kinds, fmt.Sprintf("%d queued scores", *dead.Scores))
	}
	if len(kinds) > 0 {
		line("dead letters", "%s", strings.Join(kinds, ", "))
	}
}

func describeWrites(w status.Writes) string {
	m := w.Maintenance
	switch {
	case w.Taken:
		return "accepted"
	case w.Refused == nil:
		return "unknown"
	case m == nil:
		return "REJECTED, game rules conflict with stored data: " + strings.Join(w.Refused, ", ")
	case m.Until == nil:
		return "MAINTENANCE, deployed: " + m.Reason
	}
	return fmt.Sprintf("MAINTENANCE since %s until %s: %s", m.Since.Format(time.RFC3339), m.Until.Format(time.RFC3339), cmp.Or(m.Reason, "no reason was given"))
}

func describeDatabase(d status.Database) string {
	if d.State == "none" {
		return "none (no database)"
	}
	return fmt.Sprintf("%s, schema %d, required %d", d.State, d.Schema, d.Needs)
}

func describeRun(r *status.Run) string {
	switch {
	case r == nil:
		return "never"
	case r.Good():
		return fmt.Sprintf("%s OK (%d ms)", r.Due.Format("2006-01-02 15:04"), r.Milliseconds)
	}
	return fmt.Sprintf("%s FAILED", r.Due.Format("2006-01-02 15:04"))
}
