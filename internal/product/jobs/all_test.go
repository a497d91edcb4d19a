package jobs_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/template"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// One process answers every route and runs every schedule that template.yaml spreads over
// functions.
func TestOneProcessServesWhatAllFunctionsServe(t *testing.T) {
	declared, err := template.Parse(leaderboards.Template)
	require.NoError(t, err)
	redis := testkit.NewRedis(t, "").Client
	g, err := app.LoadGame("")
	require.NoError(t, err)
	a := app.New(app.Parts{Game: g, Redis: redis, Now: time.Now})
	plan, err := status.NewPlan(func(string) string { return "" })
	require.NoError(t, err)
	h := jobs.NewProduct(a, nil).All(jobs.Around{Plan: plan})
	path := strings.NewReplacer("{mode}", "daily_frame", "{player}", "me", "{id}", "d_1", "{code}", "c", "{scores}", "scores")
	var schedules []string
	asked := 0
	for _, f := range declared.Functions {
		for range f.Schedules {
			schedules = append(schedules, f.Name)
		}
		for _, route := range f.Routes {
			if route.Method == "ANY" {
				continue // requests that match no other route
			}
			asked++
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), route.Method, path.Replace(route.Path), nil))
			require.NotContains(t, w.Body.String(), "no such endpoint", "%s %s", route.Method, route.Path)
			require.NotEqual(t, 405, w.Code, "%s %s", route.Method, route.Path)
		}
	}
	require.Greater(t, asked, 30)
	own := jobs.New(a, nil).Schedules(nil)
	for _, name := range schedules {
		require.Contains(t, own, name)
	}
	require.Len(t, own, len(schedules))
}
