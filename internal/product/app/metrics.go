package app

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/framedle/leaderboards/internal/feature/graph"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash"
)

// Linked are parameters so that only programs that live for days link them. Each may be nil.
type Linked struct {
	// Redis connects to the server at REDIS_URL.
	Redis func(ctx context.Context, address string, c upstash.Config) (*upstash.Client, error)
	// Traces makes the tracer; a nil tracer if the environment asks for none.
	Traces func(getenv func(string) string, version string, log *slog.Logger) (usage.Tracer, error)
	// Metrics makes what shows and sends the calls of a process of the function.
	Metrics func(function string, getenv func(string) string, version string, log *slog.Logger) (usage.Exporter, error)
	// Pages serves the named pages in addition to the product.
	Pages func(names []string, product http.Handler) (http.Handler, error)
	// Graph makes the GraphQL handler for a value of the setting GRAPHQL; nil if it is off.
	Graph func(setting string) (graph.Engine, error)

	settings func() error // what is wrong in variables that FromEnv does not read; nil: there are none
}

// observers report on the process; each may be nil.
type observers struct {
	usage.Tracer
	usage.Exporter
}

// observers makes what the environment asks for. Lambda has its own metrics.
func (by Linked) observers(function string, getenv func(string) string, log *slog.Logger) (o observers, err error) {
	var noTraces, noMetrics error
	if by.Traces != nil {
		o.Tracer, noTraces = by.Traces(getenv, Version(), log)
	}
	if by.Metrics != nil && getenv(envLambda) == "" {
		o.Exporter, noMetrics = by.Metrics(function, getenv, Version(), log)
	}
	return o, errors.Join(noTraces, noMetrics)
}
