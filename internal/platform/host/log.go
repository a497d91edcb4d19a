package host

import (
	"context"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/platform/trace"
)

// requestFailed is the message of a line about a request that failed.
const requestFailed = "request failed"

const (
	// In an outage each request fails. So of these lines a process writes at most maxFailures
	// in a failureWindow; the next one after that says how many were left out.
	maxFailures   = 100
	failureWindow = 10 * time.Second
)

// NewLog makes the log of a process: JSON lines, which name their trace on Lambda. On Cloud
// Run, whose log reads severity, the level has that name.
func NewLog(w io.Writer) *slog.Logger {
	var options slog.HandlerOptions
	if os.Getenv("K_SERVICE") != "" {
		options.ReplaceAttr = severity
	}
	return slog.New(sampler{trace.Lines(slog.NewJSONHandler(w, &options)), &failures{}})
}

// severity gives the level the name and the values of Cloud Logging.
func severity(_ []string, a slog.Attr) slog.Attr {
	level, ok := a.Value.Any().(slog.Level)
	if !ok {
		return a
	}
	if level == slog.LevelWarn {
		return slog.String("severity", "WARNING")
	}
	return slog.String("severity", level.String())
}

// sampler leaves out lines about failed requests when there are too many.
type sampler struct {
	slog.Handler
	failures *failures
}

func (s sampler) Handle(ctx context.Context, r slog.Record) error {
	if r.Message == requestFailed {
		write, leftOut := s.failures.count(r.Time)
		if !write {
			return nil
		}
		if leftOut > 0 {
			r = r.Clone()
			r.AddAttrs(slog.Int("left_out", leftOut))
		}
	}
	return s.Handler.Handle(ctx, r)
}

func (s sampler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return sampler{s.Handler.WithAttrs(attrs), s.failures}
}

func (s sampler) WithGroup(name string) slog.Handler {
	return sampler{s.Handler.WithGroup(name), s.failures}
}

// failures counts the lines about failed requests in a window.
type failures struct {
	mu      sync.Mutex
	began   time.Time
	lines   int
	leftOut int // since the last line that was written
}

// count reports whether a line may be written, and how many were left out before it.
func (f *failures) count(now time.Time) (write bool, leftOut int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now.Sub(f.began) >= failureWindow {
		f.began, f.lines = now, 0
	}
	if f.lines >= maxFailures {
		f.leftOut++
		return false, 0
	}
	f.lines++
	leftOut, f.leftOut = f.leftOut, 0
	return true, leftOut
}
