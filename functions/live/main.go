// Command live streams boards to their viewers, and also serves them as pages. It is for
// hosts that run a container with long connections (Cloud Run, ECS, a machine of one's
// own), not for Lambda; see docs/build/live.md.
package main

import (
	"github.com/framedle/leaderboards/internal/platform/metrics"
	"github.com/framedle/leaderboards/internal/platform/otlp"
	"github.com/framedle/leaderboards/internal/platform/tcpredis"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func main() {
	jobs.RunLive(app.Linked{Redis: tcpredis.Open, Traces: otlp.FromEnv, Metrics: metrics.FromEnv})
}
