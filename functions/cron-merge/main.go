// Command cron-merge is the scheduled function cron-merge, on Lambda or Cloud Run.
package main

import (
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func main() {
	jobs.Run(func(j *jobs.Jobs) host.ScheduledFunc { return j.Merge })
}
