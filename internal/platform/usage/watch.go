package usage

import (
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/platform/budget"
	"github.com/framedle/leaderboards/internal/platform/trace"
)

// Stray is the route of requests that no pattern serves.
const Stray = "other"

// scheduled is the route of runs that a schedule starts.
const scheduled = "schedule"

// writeTime is how long a caller waits for the counters at most.
const writeTime = time.Second

// Options are what a Watch is made of.
type Options struct {
	Function  string           // its name, in printable ASCII
	Now       func() time.Time // also measures how long calls take
	Lines     io.Writer        // gets a line for each call; nil: none
	Detail    bool             // lines have the embedded metric format, with metrics by function and route
	Namespace string           // of these metrics; Namespace when empty
	MemoryMB  int64            // of the function on Lambda, for the counters; 0: elsewhere
	Counters  *Counters        // nil: none
	Metrics   Recorder         // such as Metrics; nil: none
	// Budget is the guard to which the counters tell what all processes have spent. With it
	// the counters also add to the month's totals. Nil: none.
	Budget *budget.Guard
	Tracer Tracer // nil: none
}

// Recorder gets each call when the call is over. It is safe for concurrent use.
type Recorder interface{ Add(Call) }

// Tracer makes traces of calls. It is safe for concurrent use.
type Tracer interface {
	// Begin starts the span of a call with the given headers, and writes the trace's id into
	// the headers. For a run of a schedule the headers are nil. The caller calls over at the
	// call's end.
	Begin(ctx context.Context, header http.Header) (followed context.Context, over func(Call))
	// Close sends the spans that have not been sent yet.
	Close(ctx context.Context) error
}

// Watch meters the calls of one function. It is safe for concurrent use.
type Watch struct {
	Options
	warm  atomic.Bool
	lines sync.Pool // of *[]byte
}

// New makes a Watch.
func New(o Options) *Watch {
	if o.Namespace == "" {
		o.Namespace = Namespace
	}
	if o.Counters != nil {
		o.Counters.guard, o.Counters.memoryMB = o.Budget, o.MemoryMB
	}
	return &Watch{Options: o, lines: sync.Pool{New: func() any { return new([]byte) }}}
}

// Handler meters each request that h serves. If the counters are due to be written, the
// request waits for that, at most a second.
func (w *Watch) Handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		var counted tally
		// ServeMux writes the pattern into the request that it gets: into this copy, not the original.
		ctx, over := w.follow(r.Context(), r.Header)
		r = r.WithContext(counted.attach(ctx))
		answer := &answer{ResponseWriter: out}
		began, cold, done := w.Now(), w.warm.CompareAndSwap(false, true), false
		defer func() {
			c := Call{Route: r.Pattern, Caller: Caller{Kind: Anonymous}, Status: answer.status, Cold: cold, Replayed: out.Header().Get("Idempotency-Replayed") == "true"}
			switch {
			case !done:
				c.Status = http.StatusInternalServerError
			case c.Status == 0:
				c.Status = http.StatusOK
			}
			if c.Route == "" {
				c.Route = Stray
			}
			c.request, c.RequestID, c.Answered = true, r.Header.Get("X-Request-Id"), answer.bytes
			if id, kept := trace.Of(r.Header); kept {
				c.TraceID = id
			}
			ctx := r.Context() // so that no more of the request stays in memory while its answer continues
			counted.outlasts.returned(func() { counted.fill(&c); over(c); w.record(ctx, c, began) })
		}()
		h.ServeHTTP(answer, r)
		done = true
	})
}

// Scheduled meters each run of f.
func (w *Watch) Scheduled(f func(context.Context, time.Time) (any, error)) func(context.Context, time.Time) (any, error) {
	return func(ctx context.Context, at time.Time) (result any, err error) {
		var counted tally
		began, cold, done := w.Now(), w.warm.CompareAndSwap(false, true), false
		ctx, over := w.follow(ctx, nil)
		defer func() {
			c := Call{Route: scheduled, Caller: Caller{Kind: Schedule}, Status: http.StatusOK, Cold: cold}
			if !done || err != nil {
				c.Status = http.StatusInternalServerError
			}
			if id, kept := trace.OfInvocation(ctx); kept {
				c.TraceID = id
			}
			counted.fill(&c)
			over(c)
			w.record(ctx, c, began)
		}()
		result, err = f(counted.attach(ctx), at)
		done = true
		return result, err
	}
}

// follow begins a call's span, if there is a Tracer.
func (w *Watch) follow(ctx context.Context, header http.Header) (context.Context, func(Call)) {
	if w.Tracer == nil {
		return ctx, func(Call) {}
	}
	return w.Tracer.Begin(ctx, header)
}

// Close writes the counters one last time, if there are enough commands to report: see
// [Counters.WorthEnding].
func (w *Watch) Close(ctx context.Context) error {
	if w.Counters == nil || !w.Counters.WorthEnding() {
		return nil
	}
	return w.Counters.Write(ctx)
}

func (w *Watch) record(ctx context.Context, c Call, began time.Time) {
	now := w.Now()
	c.Duration = now.Sub(began)
	c.Level = w.Budget.Measures().Level()
	if w.Lines != nil {
		line := w.lines.Get().(*[]byte)
		if w.Detail {
			*line = appendEMF((*line)[:0], w.Namespace, w.Function, now, c)
		} else {
			*line = appendLine((*line)[:0], w.Function, now, c)
		}
		c.Logged = int64(len(*line))
		_, _ = w.Lines.Write(*line) // an error of the log cannot be logged
		w.lines.Put(line)
	}
	if w.Metrics != nil {
		w.Metrics.Add(c)
	}
	if w.Counters == nil {
		return
	}
	if due := w.Counters.Add(now, c); due != nil {
		// The caller's own deadline may have passed. If the write fails, the next one makes up for it.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTime)
		defer cancel()
		_ = due(ctx)
	}
}

// answer notes the status and the size of an answer.
type answer struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= 200 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	n, err := a.ResponseWriter.Write(p)
	a.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach Flush and the deadlines.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
