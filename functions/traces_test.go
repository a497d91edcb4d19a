package functions_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/host/lambdatest"
	"github.com/framedle/leaderboards/internal/platform/otlp/collectortest"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const (
	traceID     = "4bf92f3577b34da6a3ce929d0e0e4736"
	traceParent = "00-" + traceID + "-00f067aa0ba902b7-01"
)

// The whole product sends traces when it is told where to, sends all of them before it
// ends, and names them in its log. A collector that accepts nothing delays neither
// callers nor the end.
func TestAProgramThatLivesLongSendsTraces(t *testing.T) {
	binary := forAnyHost(t, "all")
	redis := upstashtest.Start(t, upstashtest.Options{})
	start := func(collector string) *service {
		return startBinary(t, binary, "UPSTASH_REDIS_REST_URL="+redis.URL(), "UPSTASH_REDIS_REST_TOKEN="+redis.Token(),
			"OTEL_EXPORTER_OTLP_ENDPOINT="+collector, "CORS_ORIGINS="+page)
	}
	const card = "/v1/leaderboards/daily_frame/players/user_a"
	parent := map[string]string{"traceparent": traceParent}

	collector := collectortest.Start(t)
	s := start(collector.URL)
	require.Equal(t, 404, s.status(t, "GET", card, "", parent))
	require.NoError(t, redis.Refuse(true))
	require.Equal(t, 503, s.status(t, "GET", card+"?period=week", "", parent))
	require.NoError(t, redis.Refuse(false))
	s.stop()
	calls, exchanges := 0, 0
	for _, span := range collector.Spans() {
		if span.Trace != traceID {
			continue // from the requests of startBinary
		}
		if span.Name == "GET /v1/leaderboards/{mode}/players/{player}" {
			calls++
			require.Equal(t, "00f067aa0ba902b7", span.Parent)
		} else {
			exchanges++
			require.Equal(t, "redis", span.About["db.system.name"])
		}
	}
	require.Equal(t, 2, calls)
	counted := 0.0
	for _, p := range collector.Points() { // sent at the end of the process, without METRICS_TOKEN
		if p.Name == "leaderboards_requests_total" && p.About["route"] == "GET /v1/leaderboards/{mode}/players/{player}" {
			counted += p.Value
		}
		require.NotEqual(t, "leaderboards_problems", p.Name, "the end reads no state")
	}
	require.Equal(t, 2.0, counted)
	require.NotZero(t, exchanges)
	require.Contains(t, s.log.String(), `"trace_id":"`+traceID+`"`)

	silent, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, silent.Close()) })
	s = start("http://" + silent.Addr().String())
	require.Equal(t, 404, s.status(t, "GET", card, "", parent))
	s.stop() // within the 10 s that Cloud Run leaves
	require.Contains(t, s.log.String(), "the last traces are lost")
	require.NotContains(t, strings.ReplaceAll(s.log.String(), "the last traces are lost", ""), `"level":"ERROR"`)
}

// A run of a schedule has no headers: Lambda tells which trace it belongs to.
func TestRunsOfSchedulesOnLambdaNameTheirTrace(t *testing.T) {
	redis := upstashtest.Start(t, upstashtest.Options{})
	bootstrap := forLambda(t, "cron-daily")
	event, err := host.NewScheduledEvent("cron-daily", time.Now())
	require.NoError(t, err)
	run := func(sampled string, works bool) (lines, failures string) {
		f, err := lambdatest.Start(t.Context(), lambdatest.Options{
			Bootstrap: bootstrap, Name: "cron-daily", Env: []string{"UPSTASH_REDIS_REST_URL=" + redis.URL(), "UPSTASH_REDIS_REST_TOKEN=" + redis.Token()},
			Trace: "Root=1-" + traceID[:8] + "-" + traceID[8:] + ";Parent=00f067aa0ba902b7;Sampled=" + sampled,
		})
		require.NoError(t, err)
		require.NoError(t, redis.Refuse(!works))
		response, err := f.Invoke(t.Context(), event)
		require.NoError(t, err)
		require.Equal(t, works, response.ErrorType == "", "%+v", response)
		require.NoError(t, redis.Refuse(false))
		require.NoError(t, f.Close())
		return f.Stdout(), f.Stderr()
	}
	const named = `"trace_id":"` + traceID + `"`
	lines, _ := run("1", true)
	require.Contains(t, lines, named)
	for line := range strings.Lines(lines) {
		require.LessOrEqual(t, len(line), 300)
	}
	lines, _ = run("0", true)
	require.NotContains(t, lines, named, "nobody keeps it")
	_, failures := run("0", false)
	require.Contains(t, failures, named)
}
