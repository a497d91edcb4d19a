// Command cron-daily is the scheduled function cron-daily, on Lambda or Cloud Run.
package main

import (
	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/host"
)

func main() {
	app.RunScheduled(func(a *app.App) host.ScheduledFunc { return a.CronDaily })
}
