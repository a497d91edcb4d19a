package usage_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/testkit"
	"github.com/framedle/leaderboards/internal/usage"
)

func TestMetricsAreForWhoHasTheToken(t *testing.T) {
	_, client := connect(t)
	now := testkit.Still(noon)
	metrics := usage.NewMetrics("submit")
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/things/{id}", func(w http.ResponseWriter, r *http.Request) {
		now.Pass(30e6)
		if err := spend(r.Context(), client, 2); err != nil {
			t.Error(err)
		}
	})
	h := metrics.Handler(func(authorization string) error {
		if authorization != "Bearer good" {
			return errors.New("no")
		}
		return nil
	}, usage.New(usage.Options{Function: "submit", Now: now.Now, Metrics: metrics}).Handler(mux))
	ask := func(method, target, authorization string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), method, target, nil)
		r.Header.Set("Authorization", authorization)
		h.ServeHTTP(w, r)
		return w
	}
	for i := range 300 {
		require.Equal(t, http.StatusOK, ask("GET", fmt.Sprintf("/v1/things/%d", i), "").Code)
		require.Equal(t, http.StatusNotFound, ask("GET", fmt.Sprintf("/stray/%d", i), "").Code)
	}
	require.Equal(t, http.StatusUnauthorized, ask("GET", "/metrics", "Bearer bad").Code)
	require.Equal(t, http.StatusUnauthorized, ask("GET", "/metrics", "").Code)
	require.Equal(t, http.StatusMethodNotAllowed, ask("POST", "/metrics", "Bearer good").Code)
	answer := ask("GET", "/metrics", "Bearer good")
	require.Equal(t, http.StatusOK, answer.Code)
	require.Equal(t, "text/plain; version=0.0.4; charset=utf-8", answer.Header().Get("Content-Type"))
	text := answer.Body.String()
	for _, line := range []string{
		`leaderboards_requests_total{function="submit",route="GET /v1/things/{id}",class="2xx"} 300`,
		`leaderboards_commands_total{function="submit",route="GET /v1/things/{id}",class="2xx"} 600`,
		`leaderboards_round_trips_total{function="submit",route="GET /v1/things/{id}",class="2xx"} 300`,
		`leaderboards_requests_total{function="submit",route="other",class="4xx"} 300`,
		`leaderboards_cold_starts_total{function="submit",route="GET /v1/things/{id}",class="2xx"} 1`,
		`leaderboards_request_duration_seconds_bucket{function="submit",route="GET /v1/things/{id}",class="2xx",le="0.025"} 0`,
		`leaderboards_request_duration_seconds_bucket{function="submit",route="GET /v1/things/{id}",class="2xx",le="0.05"} 300`,
		`leaderboards_request_duration_seconds_count{function="submit",route="GET /v1/things/{id}",class="2xx"} 300`,
		"# TYPE leaderboards_request_duration_seconds histogram",
	} {
		require.Contains(t, text, line+"\n")
	}
	require.Equal(t, 2, strings.Count(text, "leaderboards_requests_total{"), "600 paths are two label sets")

	metrics.Gauges(func(context.Context) []usage.Gauge {
		return []usage.Gauge{
			{Name: "days", Help: "Days.", Label: `state="lost"`, Value: 2}, {Name: "days", Help: "Days.", Label: `state="missing"`},
			{Name: "at_seconds", Help: "When.", Value: 1_795_435_976},
		}
	})
	require.Contains(t, ask("GET", "/metrics", "Bearer good").Body.String(), `# HELP leaderboards_days Days.
# TYPE leaderboards_days gauge
leaderboards_days{state="lost"} 2
leaderboards_days{state="missing"} 0
# HELP leaderboards_at_seconds When.
# TYPE leaderboards_at_seconds gauge
leaderboards_at_seconds 1795435976
`)
}
