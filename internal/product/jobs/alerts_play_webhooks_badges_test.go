package jobs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/status"
)

// Every metric that an alert or the dashboard names is one that /metrics serves, or a rule
// records.
func TestEveryMetricOfRulesAndDashboardIsServed(t *testing.T) {
	d, ctx := newStores(t, "", waitingGame), t.Context()
	runs := status.Log{Redis: d.app.Redis()}
	require.NoError(t, runs.Note(ctx, "cron-daily", status.Run{Due: d.now, Ended: d.now}))
	require.NoError(t, runs.Note(ctx, status.Repair, status.Run{Due: d.now, Ended: d.now}))
	require.NoError(t, d.history.Usage.PutChecks(ctx, []game.UsageCheck{{Date: game.DateOf(d.now), Counted: 2000, Upstash: 4000, At: d.now}}))
	served := scrapedNames(t, d)
	for _, group := range readRules(t).Groups {
		for _, r := range group.Rules {
			if r.Record != "" {
				served[r.Record] = true
			}
		}
	}
	named := 0
	check := func(where, expr string) {
		for _, name := range metricName.FindAllString(expr, -1) {
			require.True(t, served[name], "%s names %s, which is not served: %v", where, name, served)
			named++
		}
	}
	for _, group := range readRules(t).Groups {
		for _, r := range group.Rules {
			check(r.Alert+r.Record, r.Expr)
		}
	}
	for title, all := range panels(t) {
		for _, expr := range all {
			check(title, expr)
		}
	}
	require.Greater(t, named, 60)
}
