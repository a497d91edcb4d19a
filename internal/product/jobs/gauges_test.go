package jobs_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// values are gauges by name and label's value.
func values(t *testing.T, read func(context.Context) []usage.Gauge) map[string]float64 {
	t.Helper()
	all := map[string]float64{}
	for _, g := range read(t.Context()) {
		require.NotEmpty(t, g.Help)
		name := strings.TrimSuffix(g.Name+" "+g.Of, " ")
		require.NotContains(t, all, name)
		all[name] = g.Value
	}
	return all
}

func gaugesOf(t *testing.T, d *stores) func() map[string]float64 {
	t.Helper()
	plan, err := status.NewPlan(func(string) string { return "" })
	require.NoError(t, err)
	read := jobs.NewProduct(d.app, d.history).Gauges(plan)
	return func() map[string]float64 { return values(t, read) }
}

// An alert that compares these with the clock fires for each thing that an operator would
// find with lbctl status.
func TestGaugesShowTheStateOfTheProduct(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		d, ctx := newStores(t, address, "name: g\nmodes: {a: {max: 100}}\n"), t.Context()
		gauges := gaugesOf(t, d)
		day := game.DateOf(d.now)
		_, err := d.app.Store().Boards.Submit(ctx, game.Submission{Mode: d.app.Game().Modes[0], Player: "user_a", Date: day, Score: 7, At: d.now})
		require.NoError(t, err)
		d.now = day.AddDays(1).Midnight().Add(20 * time.Minute)
		before := gauges()
		require.Equal(t, 1.0, before[`days unclosed`], before)
		require.Equal(t, 0.0, before[`schedule_last_success_timestamp_seconds cron-daily`], "it has never run")
		late := day.AddDays(1).Midnight().Add(80 * time.Minute) // due at 00:20, with an hour to run in
		require.Equal(t, float64(late.Unix()), before[`schedule_late_timestamp_seconds cron-daily`], before)
		require.Equal(t, 1.0, before["database_ok"])
		require.Equal(t, 1.0, before["writes_accepted"])
		require.Equal(t, 0.0, before["maintenance"])
		require.Equal(t, 0.0, before["redis_circuit_open"])
		require.Equal(t, float64(usage.FreePlan), before["plan_commands"])
		for _, absent := range []string{"repair_failed", "held_plays", "dead_letters webhooks", "drift_ratio"} {
			require.NotContains(t, before, absent)
		}

		ran := d.now
		_, err = d.job().Daily(ctx, d.now)
		require.NoError(t, err)
		require.Equal(t, before, gauges(), "a scrape within the hour reads nothing")
		d.now = d.now.Add(time.Hour)
		after := gauges()
		require.Equal(t, 0.0, after[`days unclosed`], after)
		require.InDelta(t, float64(ran.Unix()), after[`schedule_last_success_timestamp_seconds cron-daily`], 60)
		require.Equal(t, float64(late.AddDate(0, 0, 1).Unix()), after[`schedule_late_timestamp_seconds cron-daily`])
		require.Equal(t, 0.0, after[`schedule_failed cron-daily`])
		require.Equal(t, float64(d.now.Unix()), after["status_timestamp_seconds"])

		runs := status.Log{Redis: d.app.Redis()}
		require.NoError(t, runs.Note(ctx, "cron-daily", status.Run{Due: d.now, Ended: d.now, Error: "it failed"}))
		require.NoError(t, runs.Note(ctx, status.Repair, status.Run{Due: d.now, Ended: d.now, Error: "it failed"}))
		require.NoError(t, d.history.Usage.PutChecks(ctx, []game.UsageCheck{{Date: day, Counted: 2000, Upstash: 4000, At: d.now}}))
		d.now = d.now.Add(time.Hour)
		failed := gauges()
		require.Equal(t, 1.0, failed[`schedule_failed cron-daily`], failed)
		require.Equal(t, 1.0, failed["repair_failed"])
		require.Equal(t, -0.5, failed["drift_ratio"])
		require.Positive(t, failed["problems"])
	})
}

// Whether the database answers is known from the last call, so that a scrape needs no
// question of its own.
func TestTheDatabasesGaugeIsThatOfTheLastCall(t *testing.T) {
	server := archivetest.Server(t)
	d, ctx := newStores(t, "", "name: g\nmodes: {a: {max: 100}}\n"), t.Context()
	d.history = testkit.Archive(t, server.URL(), jobs.Tables()...)
	gauges := gaugesOf(t, d)
	require.Equal(t, 1.0, gauges()["database_ok"])
	server.Stop()
	require.Equal(t, 1.0, gauges()["database_ok"], "nobody has asked")
	require.Error(t, d.history.Ping(ctx))
	require.Equal(t, 0.0, gauges()["database_ok"])
	given, cancel := context.WithCancel(ctx)
	cancel()
	server.Start()
	require.Error(t, d.history.Ping(given))
	require.Equal(t, 0.0, gauges()["database_ok"], "a call that was given up says nothing")
	require.NoError(t, d.history.Ping(ctx))
	require.Equal(t, 1.0, gauges()["database_ok"])
	server.Stop()
	d.now = d.now.Add(time.Hour)
	require.Equal(t, 0.0, gauges()["database_ok"], "the state asks once an hour")
	server.Start()
	_, err := d.history.Bans.Has(ctx, "user_a")
	require.NoError(t, err)
	require.Equal(t, 1.0, gauges()["database_ok"], "within the hour")

	require.NoError(t, d.history.DB().Run(ctx, "drop", `DROP TABLE schema_migrations`))
	d.now = d.now.Add(time.Hour)
	require.Equal(t, 0.0, gauges()["database_ok"], "it answers without tables")
}

const heldGame = `name: g
challenges: {english: [The quick brown fox.]}
modes:
  a: {max: 350, decimals: 2, play: required, proof: keystrokes, challenge: {seconds: 30, texts: english}}
`

const waitingGame = heldGame + `badges: {first: {title: First, rank: 1, period: day}}
webhooks: {shop: {url: https://shop.example, events: [badge.given]}}
`
