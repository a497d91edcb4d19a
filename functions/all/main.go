// Command all is the whole product in one process, for hosts that run a container (Cloud
// Run): every route, and the schedules behind a token.
//
// "all health" asks the process beside it, at PORT, whether it answers. Health checks use
// it in images without a shell. "all timer" fires the schedules of the process at URL.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	_ "time/tzdata"

	"github.com/framedle/leaderboards/internal/feature/graph/engine"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/metrics"
	"github.com/framedle/leaderboards/internal/platform/otlp"
	"github.com/framedle/leaderboards/internal/platform/tcpredis"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/web"
)

func main() {
	switch {
	case len(os.Args) == 1:
		jobs.RunAll(app.Linked{
			Redis: tcpredis.Open, Traces: otlp.FromEnv, Metrics: metrics.FromEnv, Pages: pages,
			Graph: engine.FromSetting,
		})
	case len(os.Args) == 2 && os.Args[1] == "health":
		if err := host.Probe(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case len(os.Args) == 2 && os.Args[1] == "timer":
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
		defer stop()
		timer, err := jobs.NewTimer(app.Getenv, host.NewLog(os.Stderr))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		timer.BackupTool = filepath.Join(filepath.Dir(os.Args[0]), "lbctl") // beside it in the image
		timer.Run(ctx)
	default:
		fmt.Fprintf(os.Stderr, "unexpected argument %q: settings are environment variables; the only arguments are health and timer\n", os.Args[1:])
		os.Exit(2)
	}
}

// pages are those of web/dist as they are, of which nobody signs in without a provider.
func pages(names []string, product http.Handler) (http.Handler, error) {
	return web.Serve("", product, names...)
}
