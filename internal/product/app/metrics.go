package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash"
)

// Linked are parameters so that only programs that live for days link them. Each may be nil.
type Linked struct {
	// Redis connects to the server at REDIS_URL.
	Redis func(ctx context.Context, address string, c upstash.Config) (*upstash.Client, error)
	// Traces makes the tracer; a nil tracer if the environment asks for none.
	Traces func(getenv func(string) string, version string, log *slog.Logger) (usage.Tracer, error)
	// Metrics makes what shows the calls of a process of the function.
	Metrics func(function string) usage.Exporter
}

// exported makes a watch whose calls are shown to who has the token, if there is one.
func exported(o usage.Options, function string, export func(function string) usage.Exporter, getenv func(string) string, log *slog.Logger) (watch, error) {
	tokens := list(getenv(envMetricsToken))
	if len(tokens) == 0 {
		return watch{Watch: usage.New(o)}, nil
	}
	reader, err := auth.NewOperator(tokens...)
	if err != nil {
		return watch{}, fmt.Errorf("%s: use at least 32 letters, digits and -._~+/", envMetricsToken)
	}
	if export == nil {
		log.Warn("only the programs all and live serve /metrics", "setting", envMetricsToken)
		return watch{Watch: usage.New(o)}, nil
	}
	metrics := export(function)
	o.Metrics = metrics
	verify := func(authorization string) error {
		bearer, ok := auth.Bearer(authorization)
		if !ok {
			return errors.New("there is no bearer token")
		}
		return reader.Verify(bearer)
	}
	return watch{usage.New(o), func(gauges func(context.Context) []usage.Gauge, next http.Handler) http.Handler {
		return metrics.Handler(gauges, verify, next)
	}}, nil
}
