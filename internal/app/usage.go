package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path"
	"runtime/debug"
	"time"

	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/usage"
)

// lastWriteTime bounds the counters' last write when a process ends.
const lastWriteTime = 2 * time.Second

// watch meters a function's calls in the way of its host: on Lambda a line of
// embedded metric format for each, elsewhere Prometheus text where it has a token.
type watch struct {
	*usage.Watch
	verify func(authorization string) error // nil: no Prometheus
}

func newWatch(a *App, function string, getenv func(string) string, lines io.Writer) (watch, error) {
	o := usage.Options{Function: function, Now: a.now, Counters: usage.NewCounters(a.redis, function, rand.Text())}
	if getenv(envLambda) != "" {
		o.Lines = lines
		return watch{Watch: usage.New(o)}, nil
	}
	token := getenv(envMetricsToken)
	if token == "" {
		return watch{Watch: usage.New(o)}, nil
	}
	reader, err := auth.NewOperator(token)
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

func (w watch) handler(h http.Handler) http.Handler {
	h = w.Handler(h)
	if w.verify != nil {
		h = w.Metrics.Handler(w.verify, h)
	}
	return h
}

func (w watch) close(ctx context.Context, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWriteTime)
	defer cancel()
	if err := w.Close(ctx); err != nil {
		log.LogAttrs(ctx, slog.LevelWarn, "the last counters of usage are lost", slog.String("error", err.Error()))
	}
}

// functionName is the folder of the function that this binary is.
func functionName() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Path != "" {
		return path.Base(info.Path)
	}
	return "unknown"
}
