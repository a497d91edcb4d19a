// Command events is the function events, on Lambda or Cloud Run.
package main

import (
	_ "time/tzdata" // Lambda has no time zone database

	"github.com/framedle/leaderboards/internal/jobs"
)

func main() { jobs.ServeApart((*jobs.Product).Events) }
