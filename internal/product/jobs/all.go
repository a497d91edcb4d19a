package jobs

import (
	"context"

	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/product/app"
)

// allConnections is the number of concurrent queries to Postgres of a process that serves all
// routes; a pooler gives a small database far more connections.
const allConnections = 4

// RunAll serves the whole product except the queue as one process, on the host that it
// detects, configured by its environment: all routes, and the schedules at POST
// /v1/ops/schedules/{name}. It does not return.
func RunAll(graph Graph, by app.Linked) {
	app.RunAll(by, func(a *app.App) (app.Function, map[string]host.ScheduledFunc, error) {
		g, err := graph.fromEnv()
		if err != nil {
			return app.Function{}, nil, err
		}
		kept, err := archiveFromEnv(allConnections)
		if err != nil {
			return app.Function{}, nil, err
		}
		b, err := billFrom(app.Getenv)
		if err != nil {
			return app.Function{}, nil, err
		}
		j, err := fromEnv(a, kept)
		if err != nil {
			return app.Function{}, nil, err
		}
		p := NewProduct(a, kept)
		p.OnLoss(j.RepairSoon(context.Background()))
		return app.Function{API: p.api, Handler: p.All(Around{Plan: j.Plan, Live: countedLive(a), Graph: g}), Gauges: p.Gauges(j.Plan)}, j.Schedules(b), nil
	})
}

// Schedules returns the scheduled functions by name. b may be nil.
func (j *Jobs) Schedules(b Bill) map[string]host.ScheduledFunc {
	return map[string]host.ScheduledFunc{
		"cron-daily":  j.Daily,
		"cron-weekly": j.Weekly,
		"cron-save":   j.Save,
		"cron-usage":  j.CheckUsage(b),
		"compute":     j.Compute,
		"cron-merge":  j.Merge,
	}
}
