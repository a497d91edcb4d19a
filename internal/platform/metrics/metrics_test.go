package metrics_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
	"github.com/framedle/leaderboards/internal/platform/metrics"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

var elsewhere = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })

func withToken(authorization string) error {
	if authorization != "Bearer good" {
		return errors.New("no")
	}
	return nil
}

// scraped is what Prometheus reads.
func scraped(t *testing.T, m usage.Exporter, read func(context.Context) []usage.Gauge) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil)
	r.Header.Set("Authorization", "Bearer good")
	m.Handler(read, withToken, elsewhere).ServeHTTP(w, r)
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	return w
}

func TestCallsAreCountedByRouteAndClass(t *testing.T) {
	m := metrics.New("submit")
	for i := range 300 {
		m.Add(usage.Call{Route: "GET /v1/things/{id}", Status: 200, Duration: 30 * time.Millisecond, Commands: 2, RoundTrips: 1, Cold: i == 0, Level: 2})
		m.Add(usage.Call{Route: usage.Stray, Status: 404})
	}
	m.Add(usage.Call{Route: "GET /v1/things/{id}", Status: 503})
	answer := scraped(t, m, nil)
	require.Contains(t, answer.Header().Get("Content-Type"), "text/plain; version=0.0.4; charset=utf-8")
	require.Equal(t, "no-store", answer.Header().Get("Cache-Control"))
	text := answer.Body.String()
	for _, line := range []string{
		`leaderboards_requests_total{class="2xx",function="submit",route="GET /v1/things/{id}"} 300`,
		`leaderboards_commands_total{class="2xx",function="submit",route="GET /v1/things/{id}"} 600`,
		`leaderboards_round_trips_total{class="2xx",function="submit",route="GET /v1/things/{id}"} 300`,
		`leaderboards_requests_total{class="4xx",function="submit",route="other"} 300`,
		`leaderboards_throttled_total{class="5xx",function="submit",route="GET /v1/things/{id}"} 1`,
		`leaderboards_cold_starts_total{class="2xx",function="submit",route="GET /v1/things/{id}"} 1`,
		`leaderboards_request_duration_seconds_bucket{class="2xx",function="submit",route="GET /v1/things/{id}",le="0.025"} 0`,
		`leaderboards_request_duration_seconds_bucket{class="2xx",function="submit",route="GET /v1/things/{id}",le="0.05"} 300`,
		`leaderboards_request_duration_seconds_count{class="2xx",function="submit",route="GET /v1/things/{id}"} 300`,
		`leaderboards_budget_level{function="submit"} 0`,
		"# HELP leaderboards_requests_total Requests answered.",
		"# TYPE leaderboards_request_duration_seconds histogram",
		"# TYPE go_goroutines gauge",
	} {
		require.Contains(t, text, line+"\n")
	}
	require.Contains(t, text, "\nprocess_cpu_seconds_total ")
}

// However many routes and classes there are, a process has 256 sets of labels, and one more for
// each class of the calls beyond.
func TestSeriesAreBounded(t *testing.T) {
	m := metrics.New("all")
	for i := range 1000 {
		m.Add(usage.Call{Route: fmt.Sprint("GET /", i), Status: 200 + 100*(i%2)})
	}
	text := scraped(t, m, nil).Body.String()
	require.Equal(t, 256+2, strings.Count(text, "leaderboards_requests_total{"))
	require.Contains(t, text, `leaderboards_requests_total{class="2xx",function="all",route="other"} 372`)
}

func TestLabelsAreEscapedAsPrometheusReadsThem(t *testing.T) {
	m := metrics.New("all")
	m.Add(usage.Call{Route: "a\"b\\c\nd\té", Status: 200})
	require.Contains(t, scraped(t, m, nil).Body.String(), `route="a\"b\\c\nd`+"\té\"} 1\n")
}

func TestOnlyGetWithTheTokenIsAnswered(t *testing.T) {
	h := metrics.New("all").Handler(nil, withToken, elsewhere)
	for _, c := range []struct {
		method, path, authorization string
		want                        int
	}{
		{"GET", "/metrics", "Bearer good", 200},
		{"GET", "/metrics", "Bearer bad", 401},
		{"GET", "/metrics", "", 401},
		{"POST", "/metrics", "Bearer good", 405},
		{"GET", "/v1/me", "", http.StatusTeapot},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), c.method, c.path, nil)
		r.Header.Set("Authorization", c.authorization)
		h.ServeHTTP(w, r)
		require.Equal(t, c.want, w.Code, "%+v", c)
	}
}

func TestGaugesAreReadForEachScrape(t *testing.T) {
	m, days := metrics.New("all"), 2.0
	read := func(context.Context) []usage.Gauge {
		return []usage.Gauge{
			{Name: "days", Help: "Days.", Label: "state", Of: "lost", Value: days}, {Name: "days", Help: "Days.", Label: "state", Of: "missing"},
			{Name: "at_seconds", Help: "When.", Value: 1_795_435_976},
		}
	}
	text := scraped(t, m, read).Body.String()
	require.Contains(t, text, `# HELP leaderboards_days Days.
# TYPE leaderboards_days gauge
leaderboards_days{state="lost"} 2
leaderboards_days{state="missing"} 0
`)
	require.Contains(t, text, "# TYPE leaderboards_at_seconds gauge\nleaderboards_at_seconds 1.795435976e+09\n")
	days = 3
	require.Contains(t, scraped(t, m, read).Body.String(), `leaderboards_days{state="lost"} 3`)
}

// Prometheus' library doubles a function. Only the programs all and live have it.
func TestNoFunctionOfLambdaLinksPrometheus(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-tags", lambdatest.Tags, "-f", `{{.ImportPath}} {{range .Deps}}{{if eq . "github.com/prometheus/client_golang/prometheus"}}links it{{end}}{{end}}`, "../../../functions/...").Output()
	require.NoError(t, err)
	var linking []string
	for line := range strings.Lines(string(out)) {
		if program, found := strings.CutSuffix(strings.TrimSpace(line), " links it"); found {
			linking = append(linking, program[strings.LastIndex(program, "/")+1:])
		}
	}
	require.Equal(t, []string{"all", "live"}, linking)
}
