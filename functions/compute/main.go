// Command compute is the scheduled function compute, on Lambda or Cloud Run.
package main

import (
	_ "time/tzdata" // Lambda has no time zone database

	"github.com/framedle/leaderboards/internal/host"
	"github.com/framedle/leaderboards/internal/jobs"
)

func main() {
	jobs.Run(func(j *jobs.Jobs) host.ScheduledFunc { return j.Compute })
}
