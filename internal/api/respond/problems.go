package respond

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/platform/trace"
)

// RequestID is the header in which the host sends the request's id.
const RequestID = "X-Request-Id"

// Problems answers requests that fail, and logs the failures that are ours to repair.
type Problems struct {
	Log *slog.Logger
	Now func() time.Time
}

// Write answers with the problem of an error.
func (ps Problems) Write(w http.ResponseWriter, r *http.Request, err error) {
	p := ps.Explain(r, err)
	header := w.Header()
	header.Set("Content-Type", "application/problem+json")
	header.Set("Cache-Control", "no-store")
	if p.Status == http.StatusUnauthorized {
		header.Set("WWW-Authenticate", `Bearer realm="leaderboards"`)
	}
	if p.Limit != nil {
		ShowLimit(header, *p.Limit)
	}
	if p.Wait > 0 {
		header.Set("Retry-After", strconv.FormatInt(int64((p.Wait+time.Second-1)/time.Second), 10))
	}
	body, _ := json.Marshal(p) // strings and numbers always marshal
	Send(w, r, p.Status, body)
}

// ShowLimit sets the headers that name the limit that a request counts against, and what is
// left of it.
func ShowLimit(header http.Header, d limit.Decision) {
	header.Set(limit.PolicyHeader, d.Policy())
	header.Set(limit.LimitHeader, d.Limit())
}

// Explain returns the problem of an error, for one request. It logs the ones that are ours to
// repair.
func (ps Problems) Explain(r *http.Request, err error) *problem.Problem {
	p := *problem.Of(err)
	p.Instance = r.Header.Get(RequestID)
	if p.Status >= http.StatusInternalServerError && !p.Meant() {
		ps.Log.LogAttrs(r.Context(), slog.LevelError, "request failed", append([]slog.Attr{
			slog.String("method", r.Method), slog.String("path", r.URL.Path),
			slog.Int("status", p.Status), slog.String("request_id", p.Instance), slog.String("error", err.Error()),
		}, append(problem.RefusalAttrs(err, ps.Now()), traceAttrs(r)...)...)...)
	}
	return &p
}

// Warn logs an error that did not fail its request.
func (ps Problems) Warn(ctx context.Context, what string, err error) {
	ps.Log.LogAttrs(ctx, slog.LevelWarn, what, slog.String("error", err.Error()))
}

// traceAttrs returns the trace of a request as an attribute, if the request belongs to
// one.
func traceAttrs(r *http.Request) []slog.Attr {
	if id, _ := trace.Of(r.Header); id != "" {
		return []slog.Attr{slog.String("trace_id", id)}
	}
	return nil
}
