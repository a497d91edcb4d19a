// Command webhook is the function webhook, on Lambda or Cloud Run.
package main

import "github.com/framedle/leaderboards/internal/jobs"

func main() { jobs.Serve("webhook") }
