// Command events is the function events, on Lambda or Cloud Run.
package main

import (
	_ "time/tzdata"

	"github.com/framedle/leaderboards/internal/product/app"
)

func main() { app.RunHTTP("events") }
