package host

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/framedle/leaderboards/internal/platform/trace"
)

const (
	requestIDHeader = "X-Request-Id"
	internalDetail  = "the request could not be completed; the operator finds the reason in the log under this instance"
)

// Guard wraps every handler on a plain HTTP server. It gives each request an id of its own in
// X-Request-Id (32 hexadecimal digits, in place of whatever the client sent), and sets that
// id and X-Content-Type-Options on the answer. It answers a panic with 500
// application/problem+json and writes one JSON line to errorLog. A panic after the answer
// began cuts the connection, so that no client takes half an answer for a whole one.
func Guard(h http.Handler, errorLog io.Writer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set(requestIDHeader, newRequestID())
		begin(w.Header(), r)
		watched := &watchedWriter{ResponseWriter: w}
		failure := call(h, watched, r)
		if failure == nil {
			return
		}
		failure.log(errorLog, r)
		if watched.started || failure.aborted {
			panic(http.ErrAbortHandler)
		}
		forget(w.Header())
		writeProblem(w, r, http.StatusInternalServerError, internalDetail)
	})
}

// begin sets the headers that every answer has.
func begin(answer http.Header, r *http.Request) {
	answer.Set(requestIDHeader, r.Header.Get(requestIDHeader))
	answer.Set("X-Content-Type-Options", "nosniff")
}

// forget removes the headers that a failed handler has set. It keeps those that let a page in
// a browser read the problem.
func forget(answer http.Header) {
	for name := range answer {
		switch {
		case name == requestIDHeader, name == "X-Content-Type-Options", name == "Vary", strings.HasPrefix(name, "Access-Control-"):
		default:
			delete(answer, name)
		}
	}
}

// failure is why a handler did not finish.
type failure struct {
	reason  string
	stack   string
	trace   string // the trace that it belongs to, if no request names it
	aborted bool   // the handler asked to cut the connection without a log line
}

// call runs h and returns its panic, if any.
func call(h http.Handler, w http.ResponseWriter, r *http.Request) (failed *failure) {
	defer func() {
		if v := recover(); v != nil {
			failed = newFailure(v)
		}
	}()
	h.ServeHTTP(w, r)
	return nil
}

// newFailure must be called by the deferred function that recovered v, so that the stack
// still shows where the panic began.
func newFailure(v any) *failure { return newFailureIn(context.Background(), v) }

// newFailureIn is newFailure with the trace of an invocation.
func newFailureIn(ctx context.Context, v any) *failure {
	if v == http.ErrAbortHandler {
		return &failure{aborted: true}
	}
	id, _ := trace.OfInvocation(ctx)
	return &failure{reason: fmt.Sprint(v), stack: string(debug.Stack()), trace: id}
}

// log writes one line. r is nil for a scheduled function.
func (f *failure) log(w io.Writer, r *http.Request) {
	if f.aborted {
		return
	}
	attrs := []slog.Attr{slog.String("error", f.reason)}
	traceID := f.trace
	if r != nil {
		attrs = append(attrs, slog.String("method", r.Method), slog.String("path", r.URL.EscapedPath()), slog.String("request_id", r.Header.Get(requestIDHeader)))
		traceID, _ = trace.Of(r.Header)
	}
	if traceID != "" {
		attrs = append(attrs, slog.String("trace_id", traceID))
	}
	if f.stack != "" {
		attrs = append(attrs, slog.String("stack", f.stack))
	}
	NewLog(w).LogAttrs(context.Background(), slog.LevelError, requestFailed, attrs...)
}

// WriteProblem lets handlers that wrap others answer their own errors.
func WriteProblem(w http.ResponseWriter, r *http.Request, status int, detail string) {
	writeProblem(w, r, status, detail)
}

// CodeOf is the code of a generic problem, which says no more than its status.
func CodeOf(status int) string {
	return strings.ReplaceAll(strings.ToLower(http.StatusText(status)), " ", "-")
}

// writeProblem answers with a generic RFC 9457 problem, for errors that arise before a
// handler is reached or after it failed.
func writeProblem(w http.ResponseWriter, r *http.Request, status int, detail string) {
	body, err := json.Marshal(struct {
		Type     string `json:"type"`
		Code     string `json:"code"`
		Title    string `json:"title"`
		Status   int    `json:"status"`
		Detail   string `json:"detail"`
		Instance string `json:"instance,omitempty"`
	}{"about:blank", CodeOf(status), http.StatusText(status), status, detail, r.Header.Get(requestIDHeader)})
	if err != nil {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may have disconnected
}

func newRequestID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails: crypto/rand ends the process instead
	return hex.EncodeToString(id[:])
}

// watchedWriter notes whether any part of the answer was sent.
type watchedWriter struct {
	http.ResponseWriter
	started bool
}

func (w *watchedWriter) WriteHeader(status int) {
	w.started = w.started || status >= 200
	w.ResponseWriter.WriteHeader(status)
}

func (w *watchedWriter) Write(p []byte) (int, error) {
	w.started = true
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach Flush and the deadlines.
func (w *watchedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
