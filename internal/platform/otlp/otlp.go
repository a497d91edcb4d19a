// Package otlp records calls as spans of OpenTelemetry and sends them to a collector,
// over OTLP, and so it does with the process's metrics.
//
// It knows OpenTelemetry's library, which is larger than a function. Only programs that
// run for days may link it, not those that start for a request.
package otlp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	parts "github.com/framedle/leaderboards/internal/platform/trace"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash"
)

// OpenTelemetry's own variables; the library itself reads more of them.
// https://opentelemetry.io/docs/specs/otel/protocol/exporter/
const (
	envEndpoint       = "OTEL_EXPORTER_OTLP_ENDPOINT"        // of a collector, without /v1/traces; where this and the next one are empty: no traces
	envTracesEndpoint = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" // the complete address
	envDisabled       = "OTEL_SDK_DISABLED"                  // true: no traces
)

// service is the service name of the product's spans, unless OTEL_SERVICE_NAME sets
// another.
const service = "leaderboards"

// mostParts is how many round trips to stores are recorded of one call. A run of a
// schedule has thousands.
const mostParts = 256

// Tracer records calls. It is safe for concurrent use.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

var headers = propagation.TraceContext{}

// FromEnv makes the Tracer that the environment asks for; nil where it names no
// collector. It opens no connection. Where spans cannot be sent, the log says so at most
// once a minute.
func FromEnv(getenv func(string) string, version string, log *slog.Logger) (usage.Tracer, error) {
	wanted, err := collector(getenv, envTracesEndpoint)
	if err != nil || !wanted {
		return nil, err
	}
	otel.SetErrorHandler(&logHandler{log: log})
	ctx := context.Background()
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("what sends traces: %w", err)
	}
	of, err := process(ctx, version)
	if err != nil {
		return nil, err
	}
	return New(sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(of))), nil
}

// collector reports whether the environment names a collector, for everything or for one kind
// of signals.
func collector(getenv func(string) string, own string) (named bool, err error) {
	name := own
	if getenv(name) == "" {
		name = envEndpoint
	}
	if getenv(name) == "" || strings.EqualFold(getenv(envDisabled), "true") {
		return false, nil
	}
	if u, err := url.Parse(getenv(name)); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return false, fmt.Errorf("%s is not the address of a collector: use one such as https://collector.example.com:4318; credentials go into OTEL_EXPORTER_OTLP_HEADERS", name)
	}
	return true, nil
}

// process describes this process.
func process(ctx context.Context, version string) (*resource.Resource, error) {
	of, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", service), attribute.String("service.version", version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	return of, nil
}

// New makes a Tracer that uses a provider.
func New(provider *sdk.TracerProvider) *Tracer {
	return &Tracer{provider, provider.Tracer("github.com/framedle/leaderboards")}
}

// Close sends the spans that have not been sent yet.
func (t *Tracer) Close(ctx context.Context) error { return t.provider.Shutdown(ctx) }

// Begin implements [usage.Tracer]. The header of a caller may name the trace that the
// call belongs to.
func (t *Tracer) Begin(ctx context.Context, header http.Header) (context.Context, func(usage.Call)) {
	kind := trace.SpanKindInternal
	if header != nil {
		kind = trace.SpanKindServer
		ctx = headers.Extract(ctx, propagation.HeaderCarrier(header))
	}
	ctx, span := t.tracer.Start(ctx, "call", trace.WithSpanKind(kind))
	if header != nil {
		headers.Inject(ctx, propagation.HeaderCarrier(header))
	}
	if !span.IsRecording() {
		return ctx, func(usage.Call) { span.End() }
	}
	f := &followed{tracer: t.tracer}
	ctx = upstash.WithTrace(ctx, f.redis)
	ctx = parts.With(ctx, f.part)
	return ctx, func(c usage.Call) {
		span.SetName(c.Route)
		span.SetAttributes(about(c)...)
		if left := f.begun.Load() - mostParts; left > 0 {
			span.SetAttributes(attribute.Int64("leaderboards.exchanges_not_followed", left))
		}
		if c.Status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// about returns the attributes of a call's span: what the counters also tell. No
// attribute names a player, or contains a part of a request or answer.
func about(c usage.Call) []attribute.KeyValue {
	all := []attribute.KeyValue{
		attribute.Int64("leaderboards.commands", c.Commands),
		attribute.Int64("leaderboards.round_trips", c.RoundTrips),
		attribute.Int64("leaderboards.queries", c.Queries),
		attribute.String("leaderboards.caller", string(c.Caller.Kind)),
	}
	method, path, request := strings.Cut(c.Route, " ")
	if request {
		all = append(all, attribute.String("http.request.method", method), attribute.String("http.route", path))
	}
	if c.RequestID != "" {
		all = append(all, attribute.Int("http.response.status_code", c.Status), attribute.String("leaderboards.request_id", c.RequestID))
	}
	return all
}

// followed is one call whose round trips are recorded.
type followed struct {
	tracer trace.Tracer
	begun  atomic.Int64
}

// redis is an [upstash.Trace].
func (f *followed) redis(ctx context.Context, name string, commands int) func(error) {
	return f.begin(ctx, name, attribute.String("db.system.name", "redis"), attribute.String("db.operation.name", name),
		attribute.Int("db.operation.batch.size", commands))
}

// part is a [parts.Parts].
func (f *followed) part(ctx context.Context, system, name string) func(error) {
	return f.begin(ctx, system, attribute.String("db.system.name", system), attribute.String("db.query.summary", name))
}

func (f *followed) begin(ctx context.Context, name string, about ...attribute.KeyValue) func(error) {
	if f.begun.Add(1) > mostParts {
		return func(error) {}
	}
	_, span := f.tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(about...))
	return func(err error) {
		if err != nil {
			// The text of an error may contain a part of the request; its kind does not.
			span.SetAttributes(attribute.String("error.type", errorType(err)))
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// errorType is the kind of an error, without any part of the request.
func errorType(err error) string {
	var redis *upstash.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.As(err, &redis):
		return upstash.KindOf(err).Error()
	}
	return "_OTHER" // OpenTelemetry's value for other errors
}

// logHandler logs errors of the sending; callers do not see them.
type logHandler struct {
	log  *slog.Logger
	last atomic.Int64 // time of the last line, in Unix seconds
}

// most is how many characters of a collector's answer are logged.
const most = 300

func (t *logHandler) Handle(err error) {
	now, last := time.Now().Unix(), t.last.Load()
	if err == nil || now-last < int64(time.Minute/time.Second) || !t.last.CompareAndSwap(last, now) {
		return
	}
	text := err.Error()
	t.log.Warn("traces or metrics are not sent", "error", text[:min(len(text), most)])
}
