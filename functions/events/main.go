// Command events is the function events, on Lambda or Cloud Run.
package main

import (
	_ "time/tzdata" // Lambda has no time zone database

	"github.com/framedle/leaderboards/internal/app"
)

func main() { app.RunHTTP("events") }
