package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/usage"
)

// withMetrics makes a watch that serves its metrics to Prometheus, if there is a token for it.
func withMetrics(o usage.Options, function string, getenv func(string) string) (watch, error) {
	tokens := list(getenv(envMetricsToken))
	if len(tokens) == 0 {
		return watch{Watch: usage.New(o)}, nil
	}
	reader, err := auth.NewOperator(tokens...)
	if err != nil {
		return watch{}, fmt.Errorf("%s: use at least 32 letters, digits and -._~+/", envMetricsToken)
	}
	metrics := usage.NewMetrics(function)
	o.Metrics = metrics
	verify := func(authorization string) error {
		bearer, ok := auth.Bearer(authorization)
		if !ok {
			return errors.New("there is no bearer token")
		}
		return reader.Verify(bearer)
	}
	return watch{usage.New(o), func(gauges func(context.Context) []usage.Gauge, next http.Handler) http.Handler {
		metrics.Gauges(gauges)
		return metrics.Handler(verify, next)
	}}, nil
}
