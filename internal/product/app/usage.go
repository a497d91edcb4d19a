package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/framedle/leaderboards/internal/platform/usage"
)

// lastWriteLambda bounds the last write of the counters when Lambda ends a process, which
// leaves 500 ms in all.
const lastWriteLambda = 400 * time.Millisecond

// watch meters a function's calls in the way of its host: on Lambda with a line in the log
// for each call, elsewhere for Prometheus, if there is a token for it.
type watch struct {
	*usage.Watch
	exporter usage.Exporter // serves or sends them too; nil: not in this program
}

func newWatch(a *App, function string, getenv func(string) string, lines io.Writer, exporter usage.Exporter) (watch, error) {
	o := a.watching(function)
	if getenv(envLambda) != "" {
		detail, err := detailed(getenv(envMetrics))
		if err != nil {
			return watch{}, err
		}
		o.Lines, o.Detail, o.Namespace = lines, detail, getenv(envNamespace)
		o.MemoryMB, _ = strconv.ParseInt(getenv(envMemory), 10, 64) // set by Lambda; without it the counters leave out Lambda's cost
		return watch{Watch: usage.New(o)}, nil
	}
	if exporter == nil {
		if getenv(envMetricsToken) != "" {
			a.parts.Log.Warn("only the programs all and live serve /metrics", "setting", envMetricsToken)
		}
		return watch{Watch: usage.New(o)}, nil
	}
	o.Metrics, a.metrics = exporter, exporter
	return watch{usage.New(o), exporter}, nil
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

func (w watch) handler(f Function) http.Handler {
	h := w.Handler(f.Handler)
	if w.exporter != nil {
		h = w.exporter.Handler(f.Gauges, h)
	}
	return h
}

// ending closes the watch when Lambda warns that it ends the process.
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

// endTraces sends the traces that were collected.
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

// planCommands reads how many commands the plan carries in a month, as [Parts] has it.
func planCommands(getenv func(string) string) (int64, error) {
	text := getenv(envPlan)
	switch {
	case text == "" && getenv(envPlainRedis) != "":
		return usage.NoPlan, nil
	case text == "":
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s is %.20q: use a number of commands from 1 on", envPlan, text)
	}
	return n, nil
}

// functionName is the name of this binary's function: the last part of its package path.
func functionName() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Path != "" {
		return path.Base(info.Path)
	}
	return "unknown"
}
