package metrics

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/otlp"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

const envToken = "METRICS_TOKEN" // comma-separated, secret; empty: no /metrics

// exporter are Metrics as the environment asks for them.
type exporter struct {
	*Metrics
	verify func(authorization string) error // nil: nobody may read them
	read   atomic.Pointer[func(context.Context) []usage.Gauge]
	end    func(context.Context) error // sends the last sums; nil: nothing is sent
	log    *slog.Logger
}

// FromEnv makes the metrics of a process of the function. They are served if there is a token,
// and sent if a collector is named.
func FromEnv(function string, getenv func(string) string, version string, log *slog.Logger) (usage.Exporter, error) {
	e := &exporter{Metrics: New(function), log: log}
	var errs [2]error
	e.verify, errs[0] = reader(getenv)
	e.end, errs[1] = otlp.SendMetrics(e.gatherer(e.gauges), getenv, version, log)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	return e, nil
}

// reader checks the token of those who read the metrics; nil: nobody may.
func reader(getenv func(string) string) (verify func(authorization string) error, err error) {
	var tokens []string
	for token := range strings.SplitSeq(getenv(envToken), ",") {
		if token = strings.TrimSpace(token); token != "" {
			tokens = append(tokens, token)
		}
	}
	if len(tokens) == 0 {
		return nil, nil
	}
	may, err := auth.NewOperators(tokens...)
	if err != nil {
		return nil, fmt.Errorf("%s: use at least 32 letters, digits and -._~+/", envToken)
	}
	return func(authorization string) error {
		bearer, ok := auth.Bearer(authorization)
		if !ok {
			return errors.New("there is no bearer token")
		}
		_, err := may.Verify(bearer)
		return err
	}, nil
}

// gauges are what the function's handler shows; none before there is one, and none at the end:
// the stores that they are read from may not answer.
func (e *exporter) gauges() []usage.Gauge {
	if read := e.read.Load(); read != nil && *read != nil {
		return (*read)(context.Background())
	}
	return nil
}

// Handler implements [usage.Exporter].
func (e *exporter) Handler(read func(context.Context) []usage.Gauge, next http.Handler) http.Handler {
	e.read.Store(&read)
	if e.verify == nil {
		return next
	}
	return e.Metrics.Handler(read, e.verify, next)
}

// Close implements [usage.Exporter].
func (e *exporter) Close(ctx context.Context) {
	e.read.Store(nil)
	if e.end == nil {
		return
	}
	if err := e.end(ctx); err != nil {
		e.log.LogAttrs(ctx, slog.LevelWarn, "the last metrics are lost", slog.String("error", err.Error()))
	}
}
