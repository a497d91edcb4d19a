// Command me is the function me, on Lambda or Cloud Run.
package main

import "github.com/framedle/leaderboards/internal/jobs"

func main() { jobs.Serve("me") }
