// Command live streams boards to their viewers, and also serves them as pages. It is for
// hosts that run a container with long connections (Cloud Run, ECS, a machine of one's
// own), not for Lambda; see docs/live.md.
package main

import (
	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/jobs"
	"github.com/framedle/leaderboards/internal/metrics"
	"github.com/framedle/leaderboards/internal/otlp"
)

func main() { jobs.RunLive(app.Observers{Traces: otlp.FromEnv, Metrics: metrics.New}) }
