package otlp_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/otlp"
	"github.com/framedle/leaderboards/internal/platform/otlp/collectortest"
	parts "github.com/framedle/leaderboards/internal/platform/trace"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const (
	asked  = "4bf92f3577b34da6a3ce929d0e0e4736"
	parent = "00f067aa0ba902b7"
	secret = "a-secret-of-a-player"
)

// fixture is a function whose calls are recorded, and its collector.
type fixture struct {
	*testing.T
	collector *collectortest.Collector
	tracer    usage.Tracer
	watch     *usage.Watch
	redis     *upstash.Client
	lines     bytes.Buffer
	log       bytes.Buffer
}

func follow(t *testing.T, settings ...string) *fixture {
	t.Helper()
	f := &fixture{T: t, collector: collectortest.Start(t)}
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f.collector.URL)
	for i := 0; i < len(settings); i += 2 {
		t.Setenv(settings[i], settings[i+1])
	}
	var err error
	f.tracer, err = otlp.FromEnv(os.Getenv, "v1.2.3", slog.New(slog.NewTextHandler(&f.log, nil)))
	require.NoError(t, err)
	f.watch = usage.New(usage.Options{Function: "leaderboard", Now: time.Now, Lines: &f.lines, Tracer: f.tracer})
	server := upstashtest.Start(t, upstashtest.Options{})
	f.redis, err = upstash.New(upstash.Config{URL: server.URL(), Token: server.Token()})
	require.NoError(t, err)
	return f
}

// send sends a request to a handler, and then closes the Tracer.
func (f *fixture) send(h http.HandlerFunc, headers ...string) {
	f.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/players/{player}", h)
	r := httptest.NewRequestWithContext(f.Context(), "GET", "/v1/players/"+secret+"?q="+secret, nil)
	r.Header.Set("Authorization", "Bearer "+secret)
	r.Header.Set("X-Request-Id", "r-1")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	f.watch.Handler(mux).ServeHTTP(httptest.NewRecorder(), r)
	f.end()
}

func (f *fixture) end() {
	f.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	require.NoError(f, f.tracer.Close(ctx))
}

func TestACallIsASpanWithItsExchangesBelow(t *testing.T) {
	f := follow(t, "OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20of-the-collector", "OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
	f.send(func(w http.ResponseWriter, r *http.Request) {
		_, err := f.redis.Do(r.Context(), upstash.Cmd("SET", secret, secret))
		require.NoError(t, err)
		_, err = f.redis.Pipeline(r.Context(), upstash.Cmd("GET", secret), upstash.Cmd("INCR", secret))
		require.NoError(t, err)
		_, err = f.redis.MultiExec(r.Context(), upstash.Cmd("DEL", secret))
		require.NoError(t, err)
		_, err = f.redis.Do(r.Context(), upstash.Cmd("NOSUCHCOMMAND", secret))
		require.Error(t, err)
		parts.Part(r.Context(), "postgresql", "read a page")(fmt.Errorf("of %s", secret))
		w.WriteHeader(http.StatusServiceUnavailable)
	}, "Traceparent", "00-"+asked+"-"+parent+"-01")

	spans := map[string]collectortest.Span{}
	for _, s := range f.collector.Spans() {
		require.Equal(t, asked, s.Trace)
		require.NotContains(t, fmt.Sprint(s), secret)
		require.Equal(t, "leaderboards", s.Of["service.name"])
		require.Equal(t, "v1.2.3", s.Of["service.version"])
		require.Equal(t, "test", s.Of["deployment.environment.name"])
		spans[s.Name] = s
	}
	call := spans["GET /v1/players/{player}"]
	require.Equal(t, parent, call.Parent)
	require.Equal(t, "SPAN_KIND_SERVER", call.Kind)
	require.True(t, call.Failed)
	require.Equal(t, map[string]any{
		"http.request.method": "GET", "http.route": "/v1/players/{player}", "http.response.status_code": int64(503),
		"leaderboards.commands": int64(7), "leaderboards.round_trips": int64(4), "leaderboards.queries": int64(0),
		"leaderboards.caller": "anonymous", "leaderboards.request_id": "r-1",
	}, call.About)
	for name, want := range map[string]int64{"SET": 1, "PIPELINE": 2, "MULTI": 1, "NOSUCHCOMMAND": 1} {
		s := spans[name]
		require.Equal(t, call.ID, s.Parent, name)
		require.Equal(t, "SPAN_KIND_CLIENT", s.Kind)
		require.Equal(t, want, s.About["db.operation.batch.size"], name)
		require.Equal(t, "redis", s.About["db.system.name"])
		require.Equal(t, name == "NOSUCHCOMMAND", s.Failed, name)
	}
	require.Equal(t, "read a page", spans["postgresql"].About["db.query.summary"])
	require.Equal(t, "_OTHER", spans["postgresql"].About["error.type"])
	require.Len(t, spans, 6)
	require.Contains(t, f.lines.String(), `"trace_id":"`+asked+`"`)
	require.Equal(t, "Bearer of-the-collector", f.collector.Headers()[0].Get("Authorization"))
	require.Empty(t, f.log.String())
}

func TestARunOfAScheduleIsATraceOfItsOwn(t *testing.T) {
	f := follow(t)
	_, err := f.watch.Scheduled(func(ctx context.Context, _ time.Time) (any, error) {
		for range 300 {
			parts.Part(ctx, "postgresql", "ping")(nil)
		}
		return nil, context.Canceled
	})(t.Context(), time.Now())
	require.Error(t, err)
	f.end()
	spans := f.collector.Spans()
	require.Len(t, spans, 1+256, "a run of any length is followed so far")
	run := spans[len(spans)-1]
	require.Equal(t, "schedule", run.Name)
	require.Equal(t, "SPAN_KIND_INTERNAL", run.Kind)
	require.Empty(t, run.Parent)
	require.True(t, run.Failed)
	require.EqualValues(t, 300-256, run.About["leaderboards.exchanges_not_followed"])
}

func TestWhatIsNotSampledIsNotSentAndStillNamed(t *testing.T) {
	for _, tt := range []struct{ name, sampler, flags string }{{"by us", "always_off", "01"}, {"by the caller", "", "00"}} {
		t.Run(tt.name, func(t *testing.T) {
			f := follow(t, "OTEL_TRACES_SAMPLER", tt.sampler)
			id := ""
			f.send(func(_ http.ResponseWriter, r *http.Request) {
				id, _ = parts.Of(r.Header)
				_, err := f.redis.Do(r.Context(), upstash.Cmd("GET", "k"))
				require.NoError(t, err)
			}, "Traceparent", "00-"+asked+"-"+parent+"-"+tt.flags)
			require.Equal(t, asked, id)
			require.Empty(t, f.collector.Spans())
			require.NotContains(t, f.lines.String(), "trace_id", "nobody keeps it")
		})
	}
}

// A request without a trace starts one, and the log lines of the request name it.
func TestARequestBeginsATrace(t *testing.T) {
	f := follow(t)
	id := ""
	f.send(func(_ http.ResponseWriter, r *http.Request) { id, _ = parts.Of(r.Header) }, "Traceparent", "00-<script>-x-01")
	require.Len(t, id, 32)
	require.Equal(t, id, f.collector.Spans()[0].Trace)
	require.Empty(t, f.collector.Spans()[0].Parent)
	require.Contains(t, f.lines.String(), id)
}

func TestACollectorThatFailsKeepsNobodyWaiting(t *testing.T) {
	f := follow(t, "OTEL_EXPORTER_OTLP_TIMEOUT", "200", "OTEL_BSP_SCHEDULE_DELAY", "1")
	f.collector.Down(true)
	answered := false
	f.send(func(http.ResponseWriter, *http.Request) { answered = true })
	require.True(t, answered)
	require.Empty(t, f.collector.Spans())
	require.Contains(t, f.log.String(), "traces or metrics are not sent")
	require.Equal(t, 1, strings.Count(f.log.String(), "\n"))
}

func TestTheEnvironmentSaysWhetherThereAreTraces(t *testing.T) {
	from := func(env map[string]string) (usage.Tracer, error) {
		return otlp.FromEnv(func(name string) string { return env[name] }, "", slog.New(slog.DiscardHandler))
	}
	for _, env := range []map[string]string{nil, {"OTEL_EXPORTER_OTLP_ENDPOINT": "https://c", "OTEL_SDK_DISABLED": "True"}} {
		tracer, err := from(env)
		require.NoError(t, err)
		require.Nil(t, tracer)
	}
	for _, wrong := range []string{"collector:4318", "grpc://collector", "https://", "https://user:" + secret + "@collector"} {
		for _, name := range []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"} {
			_, err := from(map[string]string{name: wrong})
			require.ErrorContains(t, err, name+" is not the address of a collector: use one such as https://")
			require.NotContains(t, err.Error(), secret)
		}
	}
}
