// Command cron-weekly is the scheduled function cron-weekly, on Lambda or Cloud Run.
package main

import (
	"github.com/framedle/leaderboards/internal/host"
	"github.com/framedle/leaderboards/internal/jobs"
)

func main() {
	jobs.Run(func(j *jobs.Jobs) host.ScheduledFunc { return j.Weekly })
}
