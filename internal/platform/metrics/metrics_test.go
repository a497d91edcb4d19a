package metrics_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
	"github.com/framedle/leaderboards/internal/platform/metrics"
	"github.com/framedle/leaderboards/internal/platform/otlp"
	"github.com/framedle/leaderboards/internal/platform/otlp/collectortest"
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
func scraped(t *testing.T, m *metrics.Metrics, read func(context.Context) []usage.Gauge) *httptest.ResponseRecorder {
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

// A collector gets what a scrape shows, and the sums once more at the end, when no store is
// asked.
func TestACollectorGetsTheSameFigures(t *testing.T) {
	collector := collectortest.Start(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	t.Setenv("OTEL_METRIC_EXPORT_INTERVAL", "50")
	m, err := metrics.FromEnv("all", os.Getenv, "v1.2.3", slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	for range 3 {
		m.Add(usage.Call{Route: "GET /v1/game", Status: 200, Duration: time.Millisecond})
	}
	read := func(context.Context) []usage.Gauge {
		return []usage.Gauge{{Name: "days", Help: "Days.", Label: "state", Of: "lost", Value: 2}}
	}
	_ = m.Handler(read, elsewhere)
	named := func(name string) (last collectortest.Point) {
		for _, p := range collector.Points() {
			if p.Name == name {
				last = p
			}
		}
		return last
	}
	require.Eventually(t, func() bool { return named("leaderboards_days").Value == 2 }, 10*time.Second, 10*time.Millisecond)
	require.Equal(t, map[string]any{"state": "lost"}, named("leaderboards_days").About)
	calls := named("leaderboards_requests_total")
	require.Equal(t, 3.0, calls.Value)
	require.Equal(t, map[string]any{"function": "all", "route": "GET /v1/game", "class": "2xx"}, calls.About)
	require.Equal(t, "leaderboards", calls.Of["service.name"])
	require.Equal(t, "v1.2.3", calls.Of["service.version"])
	require.Equal(t, 3.0, named("leaderboards_request_duration_seconds").Value)
	require.Positive(t, named("go_goroutines").Value)

	m.Add(usage.Call{Route: "GET /v1/game", Status: 200})
	m.Close(t.Context())
	require.Equal(t, 4.0, named("leaderboards_requests_total").Value)
}

func TestMetricsAreSentOnlyWhereACollectorIsNamed(t *testing.T) {
	for _, settings := range []map[string]string{
		{}, {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:1"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_METRICS_EXPORTER": "none"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_SDK_DISABLED": "true"},
	} {
		end, err := otlp.SendMetrics(prometheus.NewRegistry(), func(name string) string { return settings[name] }, "v1", slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		require.Nil(t, end, settings)
	}
	wrong := map[string]string{"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "collector:4318", "OTEL_METRICS_EXPORTER": "prometheus", "METRICS_TOKEN": "short"}
	_, err := metrics.FromEnv("all", func(name string) string { return wrong[name] }, "v1", slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "METRICS_TOKEN: use at least 32 letters")
	require.ErrorContains(t, err, "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT is not the address of a collector: use one such as")
	require.ErrorContains(t, err, `OTEL_METRICS_EXPORTER is "prometheus": use otlp or none`)
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
