// Command compute is the scheduled function compute, on Lambda or Cloud Run.
package main

import (
	_ "time/tzdata"

	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func main() {
	jobs.Run(func(j *jobs.Jobs) host.ScheduledFunc { return j.Compute })
}
