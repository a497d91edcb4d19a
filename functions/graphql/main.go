// Command graphql is the function graphql, on Lambda or Cloud Run.
package main

import (
	"github.com/framedle/leaderboards/internal/graph"
	"github.com/framedle/leaderboards/internal/jobs"
)

func main() { jobs.ServeGraphQL(graph.FromSetting) }
