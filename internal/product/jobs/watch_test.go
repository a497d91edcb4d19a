package jobs_test

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
)

// A run that finds a problem reports it in its line's metrics, which an alarm reads, and in
// the log together with what to do. Without a problem there is no metric.
func TestARunsLineSaysThatSomethingIsWrong(t *testing.T) {
	client := testkit.NewRedis(t, "", testkit.AtOnce).Client
	g, err := app.LoadGame("")
	require.NoError(t, err)
	url := archivetest.Database(t)
	history := testkit.Archive(t, url, jobs.Tables()...)
	now := time.Date(2026, 11, 10, 0, 20, 0, 0, time.UTC)
	var log bytes.Buffer
	a := app.New(app.Parts{Game: g, Redis: client, Now: func() time.Time { return now }, Log: slog.New(slog.NewJSONHandler(&log, nil))})
	run := func(name string, j *jobs.Jobs) string {
		log.Reset()
		var line bytes.Buffer
		watch := usage.New(usage.Options{Function: name, Now: func() time.Time { return now }, Lines: &line})
		_, _ = watch.Scheduled(j.Schedules(nil)[name])(t.Context(), now)
		return line.String()
	}
	both := jobs.New(a, history)
	require.NotContains(t, run("cron-daily", both), "Problems")
	require.Empty(t, log.String())
	var meter upstash.Meter
	alone := jobs.New(a, nil)
	for range 2 { // also if there is nothing to save
		for range 6 {
			now = now.Add(4 * time.Hour)
			_, err := alone.Save(upstash.WithMeter(t.Context(), &meter), now)
			require.NoError(t, err)
		}
	}
	require.EqualValues(t, 6, meter.Usage().Commands, "three looks a day, of one command")
	alone.Plan, err = status.NewPlan(func(name string) string { return map[string]string{"SAVE_SCHEDULE": "rate(15 minutes)"}[name] })
	require.NoError(t, err)
	for range 96 {
		now = now.Add(15 * time.Minute)
		_, err := alone.Save(upstash.WithMeter(t.Context(), &meter), now)
		require.NoError(t, err)
	}
	require.EqualValues(t, 9, meter.Usage().Commands, "however often it runs")

	now = time.Date(2026, 11, 16, 1, 0, 0, 0, time.UTC)
	log.Reset()
	require.Contains(t, run("cron-save", both), `"Problems":1`, "cron-daily has not run for days")
	require.Contains(t, log.String(), `"what":"cron-daily is late; last success: 2026-11-10T00:20:00Z"`)
}
