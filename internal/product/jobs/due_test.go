package jobs_test

import (
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
)

// An event for a time that has not come is refused before any request to Redis, called
// directly and over HTTP. A scheduler's clock may be 5 minutes ahead.
func TestASchedulesTimeMustHaveCome(t *testing.T) {
	client := testkit.NewRedis(t, "").Client
	g, err := app.LoadGame("")
	require.NoError(t, err)
	now := time.Date(2026, 11, 10, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	a := app.New(app.Parts{Game: g, Redis: client, Now: clock, Log: slog.New(slog.DiscardHandler)})
	all := jobs.New(a, nil).Schedules(nil)
	for _, name := range []string{"cron-daily", "cron-weekly"} {
		var meter upstash.Meter
		ctx := upstash.WithMeter(t.Context(), &meter)
		early := now.Add(5*time.Minute + time.Second)
		_, err := all[name](ctx, early)
		var refused *host.EventError
		require.ErrorAs(t, err, &refused, name)
		require.ErrorContains(t, err, "5m1s in the future")

		post := func(at time.Time) *httptest.ResponseRecorder {
			event, err := host.NewScheduledEvent("1", at)
			require.NoError(t, err)
			r := httptest.NewRequestWithContext(ctx, "POST", "/", strings.NewReader(string(event)))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			host.ScheduledHandler(all[name], clock, io.Discard, false).ServeHTTP(w, r)
			return w
		}
		w := post(early)
		require.Equal(t, 400, w.Code, w.Body.String())
		require.Contains(t, w.Body.String(), "in the future")
		require.Zero(t, meter.Usage().Commands, "a bad request costs nothing")
		require.Equal(t, 200, post(now.Add(5*time.Minute)).Code)
	}
}
