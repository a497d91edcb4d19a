// Command ops is the function ops, on Lambda or Cloud Run.
package main

import "github.com/framedle/leaderboards/internal/product/jobs"

func main() {
	jobs.RunOps(
		deadLetters,
	)
}
