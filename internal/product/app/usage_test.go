package app

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/platform/metrics"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash"
)

const metricsToken = "a-token-of-the-metrics-with-32-characters"

// watched is newWatch with what serves metrics.
func watched(a *App, function string, getenv func(string) string, lines io.Writer) (watch, error) {
	o, err := Linked{Metrics: metrics.FromEnv}.observers(function, getenv, slog.New(slog.DiscardHandler))
	if err != nil {
		return watch{}, err
	}
	return newWatch(a, function, getenv, lines, o.Exporter)
}

func environment(pairs map[string]string) func(string) string {
	return func(name string) string { return pairs[name] }
}

func TestMetricsAreServedWithATokenAndNeverOnLambda(t *testing.T) {
	redis, err := upstash.New(upstash.Config{URL: "http://127.0.0.1:1", Token: "t"})
	require.NoError(t, err)
	g, err := LoadGame("")
	require.NoError(t, err)
	a := New(Parts{Game: g, Redis: redis, Now: time.Now})
	var lines strings.Builder
	status := func(env map[string]string, authorization string) int {
		w, err := watched(a, "submit", environment(env), &lines)
		require.NoError(t, err)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil)
		r.Header.Set("Authorization", authorization)
		answer := httptest.NewRecorder()
		w.handler(Function{Handler: http.NotFoundHandler()}).ServeHTTP(answer, r)
		return answer.Code
	}
	with := map[string]string{"METRICS_TOKEN": metricsToken}
	require.Equal(t, http.StatusOK, status(with, "Bearer "+metricsToken))
	require.Equal(t, http.StatusUnauthorized, status(with, "Bearer "+strings.ToUpper(metricsToken)))
	require.Equal(t, http.StatusUnauthorized, status(with, metricsToken))
	require.Equal(t, http.StatusNotFound, status(nil, "Bearer "+metricsToken))
	require.Empty(t, lines.String())
	require.Equal(t, http.StatusNotFound, status(map[string]string{"METRICS_TOKEN": metricsToken, "AWS_LAMBDA_RUNTIME_API": "x"}, "Bearer "+metricsToken))
	require.Contains(t, lines.String(), `"Function":"submit","Route":"other","Status":404`)
	_, err = watched(a, "submit", environment(map[string]string{"METRICS_TOKEN": "short"}), &lines)
	require.EqualError(t, err, "METRICS_TOKEN: use at least 32 letters, digits and -._~+/")
}

// Prometheus sees all that the process spends, also for viewers and by its schedules.
func TestMetricsHaveWhatIsSpentOutsideRequests(t *testing.T) {
	redis := testkit.NewRedis(t, "", testkit.AtOnce).Connect(testkit.AtOnce)
	g, err := LoadGame("")
	require.NoError(t, err)
	a := New(Parts{Game: g, Redis: redis, Now: time.Now})
	w, err := watched(a, "all", environment(map[string]string{"METRICS_TOKEN": metricsToken}), nil)
	require.NoError(t, err)
	ctx, tell := a.Watch("live").Ongoing(t.Context())
	_, err = redis.Do(ctx, upstash.Cmd("ZCARD", "lb:daily"))
	require.NoError(t, err)
	tell()
	_, err = a.Watch("cron-daily").Scheduled(func(context.Context, time.Time) (any, error) { return "done", nil })(t.Context(), time.Now())
	require.NoError(t, err)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil)
	r.Header.Set("Authorization", "Bearer "+metricsToken)
	answer := httptest.NewRecorder()
	w.handler(Function{Handler: http.NotFoundHandler()}).ServeHTTP(answer, r)
	require.Contains(t, answer.Body.String(), `leaderboards_commands_total{class="2xx",function="all",route="live"} 1`)
	require.Contains(t, answer.Body.String(), `leaderboards_requests_total{class="2xx",function="all",route="schedule"} 1`)
}

func TestAProgramWithoutMetricsSaysSo(t *testing.T) {
	redis, err := upstash.New(upstash.Config{URL: "http://127.0.0.1:1", Token: "t"})
	require.NoError(t, err)
	g, err := LoadGame("")
	require.NoError(t, err)
	var log strings.Builder
	a := New(Parts{Game: g, Redis: redis, Now: time.Now, Log: slog.New(slog.NewTextHandler(&log, nil))})
	w, err := newWatch(a, "submit", environment(map[string]string{"METRICS_TOKEN": metricsToken}), nil, nil)
	require.NoError(t, err)
	require.Nil(t, w.exporter)
	require.Contains(t, log.String(), `only the programs all and live serve /metrics" setting=METRICS_TOKEN`)
}

func TestMetricsAreLeanOrFull(t *testing.T) {
	redis, err := upstash.New(upstash.Config{URL: "http://127.0.0.1:1", Token: "t"})
	require.NoError(t, err)
	g, err := LoadGame("")
	require.NoError(t, err)
	a := New(Parts{Game: g, Redis: redis, Now: time.Now})
	for text, detail := range map[string]bool{"": false, "lean": false, "full": true} {
		w, err := watched(a, "submit", environment(map[string]string{"METRICS": text, "AWS_LAMBDA_RUNTIME_API": "x", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "256"}), &strings.Builder{})
		require.NoError(t, err)
		require.Equal(t, detail, w.Detail, text)
		require.EqualValues(t, 256, w.MemoryMB)
	}
	_, err = watched(a, "submit", environment(map[string]string{"METRICS": "some", "AWS_LAMBDA_RUNTIME_API": "x"}), nil)
	require.EqualError(t, err, `METRICS is "some": use lean or full`)
	_, err = watched(a, "submit", environment(map[string]string{"METRICS": "some"}), nil)
	require.NoError(t, err, "elsewhere it may be anybody's")
}

func TestThePlanIsANumberOfCommands(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "1": 1, "5000000": 5_000_000} {
		plan, err := planCommands(environment(map[string]string{envPlan: text}))
		require.NoError(t, err)
		require.Equal(t, want, plan)
	}
	for _, text := range []string{"0", "-1", "1e6", "500,000", "much"} {
		_, err := planCommands(environment(map[string]string{envPlan: text}))
		require.ErrorContains(t, err, "PLAN_COMMANDS is")
	}
	for text, want := range map[string]int64{"": usage.NoPlan, "5": 5} { // a Redis of one's own bills no commands
		plan, err := planCommands(environment(map[string]string{envPlan: text, envPlainRedis: "redis://h"}))
		require.NoError(t, err)
		require.Equal(t, want, plan)
	}
}
