//go:build lambda

package app

import "github.com/framedle/leaderboards/internal/usage"

// withMetrics makes a watch without metrics: a build for Lambda serves no Prometheus.
func withMetrics(o usage.Options, _ string, _ func(string) string) (watch, error) {
	return watch{Watch: usage.New(o)}, nil
}
