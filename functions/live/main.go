// Command live streams boards to those who watch them, and serves them as pages beside
// that. It is for hosts that run a container with long connections (Cloud Run, ECS, a
// machine of one's own), not for Lambda; see docs/live.md.
package main

import (
	"github.com/framedle/leaderboards/internal/jobs"
	"github.com/framedle/leaderboards/internal/otlp"
)

func main() { jobs.RunLive(otlp.FromEnv) }
