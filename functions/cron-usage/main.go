// Command cron-usage is the scheduled function cron-usage, on Lambda or Cloud Run.
package main

import "github.com/framedle/leaderboards/internal/product/jobs"

func main() { jobs.RunUsageCheck() }
