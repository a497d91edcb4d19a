package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/usage"
)

// lastWriteLambda is how long the counters' last write may take when Lambda ends a
// process: it leaves 500 ms in all.
const lastWriteLambda = 400 * time.Millisecond

// watch meters a function's calls in the way of its host: on Lambda a line in the
// log for each, elsewhere Prometheus text where it has a token.
type watch struct {
	*usage.Watch
	verify func(authorization string) error // nil: no Prometheus
}

func newWatch(a *App, function string, getenv func(string) string, lines io.Writer) (watch, error) {
	o := a.watching(function)
	if getenv(envLambda) != "" {
		detail, err := detailed(getenv(envMetrics))
		if err != nil {
			return watch{}, err
		}
		o.Lines, o.Detail, o.Namespace = lines, detail, getenv(envNamespace)
		o.MemoryMB, _ = strconv.ParseInt(getenv(envMemory), 10, 64) // Lambda's own; without it the counters leave Lambda out
		return watch{Watch: usage.New(o)}, nil
	}
	tokens := list(getenv(envMetricsToken))
	if len(tokens) == 0 {
		return watch{Watch: usage.New(o)}, nil
	}
	reader, err := auth.NewOperator(tokens...)
	if err != nil {
		return watch{}, fmt.Errorf("%s: use at least 32 letters, digits and -._~+/", envMetricsToken)
	}
	o.Metrics = usage.NewMetrics(function)
	return watch{usage.New(o), func(authorization string) error {
		bearer, ok := auth.Bearer(authorization)
		if !ok {
			return errors.New("there is no bearer token")
		}
		return reader.Verify(bearer)
	}}, nil
}

// detailed reads whether CloudWatch gets metrics by function and by route.
func detailed(text string) (bool, error) {
	switch text {
	case "", "lean":
		return false, nil
	case "full":
		return true, nil
	}
	return false, fmt.Errorf("%s is %.20q: use lean or full", envMetrics, text)
}

func (w watch) handler(h http.Handler) http.Handler {
	h = w.Handler(h)
	if w.verify != nil {
		h = w.Metrics.Handler(w.verify, h)
	}
	return h
}

// ending is what Lambda's warning before the end is used for.
func (w watch) ending(log *slog.Logger) func() {
	return func() { w.close(context.Background(), log, lastWriteLambda) }
}

func (w watch) close(ctx context.Context, log *slog.Logger, patience time.Duration) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if err := w.Close(ctx); err != nil {
		log.LogAttrs(ctx, slog.LevelWarn, "the last counters of usage are lost", slog.String("error", err.Error()))
	}
}

// endTraces sends what has gathered of traces.
func endTraces(ctx context.Context, t usage.Tracer, log *slog.Logger, patience time.Duration) {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := t.Close(ctx); err != nil {
		log.LogAttrs(ctx, slog.LevelWarn, "the last traces are lost", slog.String("error", err.Error()))
	}
}

// prove has what was written last seen to, where Redis was lost meanwhile: no
// later write of this process would.
func (a *App) prove(ctx context.Context, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := a.store.Notices.Keys.Prove(ctx); err != nil {
		a.parts.Log.LogAttrs(ctx, slog.LevelWarn, "it is not known whether Redis was lost before the process ended", slog.String("error", err.Error()))
	}
}

// planCommands reads how many commands the plan carries in a month.
func planCommands(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s is %.20q: use a number of commands from 1 on", envPlan, text)
	}
	return n, nil
}

// sparesBytes reads what the plan has few of.
func sparesBytes(text string) (bool, error) {
	switch text {
	case "", "commands":
		return false, nil
	case "bytes":
		return true, nil
	}
	return false, fmt.Errorf("%s is %.20q: use commands, or bytes for a fixed plan of Upstash", envSpare, text)
}

// functionName is the folder of the function that this binary is.
func functionName() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Path != "" {
		return path.Base(info.Path)
	}
	return "unknown"
}
