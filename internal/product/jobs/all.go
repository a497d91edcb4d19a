package jobs

import (
	"context"
	"errors"

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
	app.RunAll(by, func() error { return wrongSettings(graph) }, func(a *app.App) (app.Function, map[string]host.ScheduledFunc, error) {
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

// wrongSettings returns what is wrong in all variables that RunAll reads beside those of the App,
// so that a process that does not start says everything at once.
func wrongSettings(graph Graph) error {
	_, noGraph := graph.fromEnv()
	_, noArchive := archiveFromEnv(allConnections)
	_, noBill := billFrom(app.Getenv)
	_, noPlan := planFromEnv()
	_, neither := repairsFrom(app.Getenv)
	_, noSecrets := WebhookSecrets(app.Getenv)
	_, noSites := SitesFrom(app.Getenv)
	return errors.Join(noGraph, noArchive, noBill, noPlan, neither, noSecrets, noSites)
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
