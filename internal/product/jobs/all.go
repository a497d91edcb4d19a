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
func RunAll(by app.Linked) {
	app.RunAll(by, wrongSettings(by), func(a *app.App) (app.Function, map[string]host.ScheduledFunc, error) {
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
		around := Around{Plan: j.Plan}
		around.Live = countedLive(a)
		if around.Graph, err = graphFromEnv(by.Graph); err != nil {
			return app.Function{}, nil, err
		}
		return app.Function{API: p.api, Handler: p.All(around), Gauges: p.Gauges(j.Plan)}, j.Schedules(b), nil
	})
}

// wrongSettings returns what is wrong in all variables that RunAll reads beside those of the App,
// so that a process that does not start says everything at once.
func wrongSettings(by app.Linked) func() error {
	return func() error {
		return errors.Join(
			wrong(graphFromEnv(by.Graph)),
			wrong(archiveFromEnv(allConnections)),
			wrong(billFrom(app.Getenv)),
			wrong(planFromEnv()),
			wrong(repairsFrom(app.Getenv)),
			wrong(WebhookSecrets(app.Getenv)),
			wrong(SitesFrom(app.Getenv)),
		)
	}
}

func wrong[T any](_ T, err error) error { return err }

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
