package jobs

import (
	"fmt"
	"net/http"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/host"
	"github.com/framedle/leaderboards/internal/runs"
)

// allConnections is how many requests of a process that serves all routes may ask
// Postgres at once; a pooler gives a small database far more of them.
const allConnections = 4

// RunAll serves the whole product but the queue as one process, on whatever host
// it finds, from its environment: all routes, and the schedules at
// POST /v1/ops/schedules/{name}. It does not return.
func RunAll() {
	app.RunAll(func(a *app.App) (http.Handler, map[string]host.ScheduledFunc, error) {
		kept, err := OpenArchive(app.Getenv(EnvDatabase), allConnections)
		if err != nil {
			return nil, nil, err
		}
		b, err := billFrom(app.Getenv)
		if err != nil {
			return nil, nil, err
		}
		plan, err := runs.NewPlan(app.Getenv)
		if err != nil {
			return nil, nil, fmt.Errorf("when schedules run: %w", err)
		}
		j := New(a, kept)
		j.Plan = plan
		return AllHandler(a, kept, plan), j.Schedules(b), nil
	})
}

// AllHandler is the handler of all routes. The archive may be nil.
func AllHandler(a *app.App, kept *archive.Archive, plan runs.Plan) http.Handler {
	return WithHistory(a, kept).All(api.Services{
		Removals: Removals(a, kept), Status: Status(a, kept, plan), Friends: befriending(a, kept), News: Roster(a, kept), Duels: Duels(a, kept),
	})
}

// Schedules are the scheduled functions by name. The bill may be nil.
func (j *Jobs) Schedules(b Bill) map[string]host.ScheduledFunc {
	return map[string]host.ScheduledFunc{
		"cron-daily": j.Daily, "cron-weekly": j.Weekly, "cron-save": j.Save, "cron-usage": j.CheckUsage(b),
	}
}
