// Command graphql is the function graphql, on Lambda or Cloud Run.
package main

import (
	"github.com/framedle/leaderboards/internal/feature/graph/engine"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func main() { jobs.ServeGraphQL(engine.FromSetting) }
