// Command all is the whole product in one process, for hosts that run a container
// (Cloud Run): every route, and the schedules behind a token.
package main

import "github.com/framedle/leaderboards/internal/jobs"

func main() { jobs.RunAll() }
