// Command leaderboard is the function leaderboard, on Lambda or Cloud Run.
package main

import "github.com/framedle/leaderboards/internal/product/jobs"

func main() { jobs.Serve("leaderboard") }
