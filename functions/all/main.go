// Command all is the whole product in one process, for hosts that run a container (Cloud
// Run): every route, and the schedules behind a token.
//
// "all health" asks the process beside it, at PORT, whether it answers. Health checks use
// it in images without a shell.
package main

import (
	"context"
	"fmt"
	"os"
	_ "time/tzdata"

	"github.com/framedle/leaderboards/internal/feature/graph/engine"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/metrics"
	"github.com/framedle/leaderboards/internal/platform/otlp"
	"github.com/framedle/leaderboards/internal/platform/tcpredis"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func main() {
	switch {
	case len(os.Args) == 1:
		jobs.RunAll(engine.FromSetting, app.Linked{Redis: tcpredis.Open, Traces: otlp.FromEnv, Metrics: metrics.FromEnv})
	case len(os.Args) == 2 && os.Args[1] == "health":
		if err := host.Probe(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	default:
		fmt.Fprintf(os.Stderr, "%q is not understood: settings are environment variables; the only argument is health\n", os.Args[1:])
		os.Exit(2)
	}
}
