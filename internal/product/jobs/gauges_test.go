package jobs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// An alert that compares these with the clock fires for each thing that an operator would
// find with lbctl status.
func TestGaugesShowTheStateOfTheProduct(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		d, ctx := newDuelist(t, address, "name: g\nmodes: {a: {max: 100}}\n"), t.Context()
		plan, err := status.NewPlan(func(string) string { return "" })
		require.NoError(t, err)
		read := jobs.NewProduct(d.app, d.history).Gauges(plan)
		gauges := func() map[string]float64 {
			all := map[string]float64{}
			for _, g := range read(ctx) {
				require.NotEmpty(t, g.Help)
				all[strings.TrimSuffix(g.Name+" "+g.Of, " ")] = g.Value
			}
			return all
		}
		day := game.DateOf(d.now)
		_, err = d.app.Store().Boards.Submit(ctx, game.Submission{Mode: d.app.Game().Modes[0], Player: "user_a", Date: day, Score: 7, At: d.now})
		require.NoError(t, err)
		d.now = day.AddDays(1).Midnight().Add(20 * time.Minute)
		before := gauges()
		require.Equal(t, 1.0, before[`days unclosed`], before)
		require.Equal(t, 0.0, before[`schedule_last_success_timestamp_seconds cron-daily`], "it has never run")
		require.Equal(t, 1.0, before["database_ok"])
		require.Equal(t, 0.0, before["redis_circuit_open"])
		require.NotContains(t, before, "repair_failed", "there was none")

		ran := d.now
		_, err = d.job().Daily(ctx, d.now)
		require.NoError(t, err)
		require.Equal(t, before, gauges(), "a scrape within the hour reads nothing")
		d.now = d.now.Add(time.Hour)
		after := gauges()
		require.Equal(t, 0.0, after[`days unclosed`], after)
		require.InDelta(t, float64(ran.Unix()), after[`schedule_last_success_timestamp_seconds cron-daily`], 60)
		require.Equal(t, float64(d.now.Unix()), after["status_timestamp_seconds"])
	})
}
