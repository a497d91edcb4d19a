package app

import (
	"context"
	"log/slog"
	"net/http"

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
	// Pages serves the pages in addition to the product.
	Pages func(product http.Handler) (http.Handler, error)
}
