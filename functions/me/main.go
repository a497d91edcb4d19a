// Command me is the function me, on Lambda or Cloud Run.
package main

import "github.com/framedle/leaderboards/internal/product/jobs"

func main() { jobs.Serve("me") }
