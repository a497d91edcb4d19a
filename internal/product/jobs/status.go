package jobs

import (
	"context"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/feature/webhook"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/product/app"
)

// Status makes the reporter of the product's state. The archive may be nil.
func Status(a *app.App, history *archive.Archive, plan status.Plan) *status.Reporter {
	r := &status.Reporter{
		Game: a.Game(), Notices: a.Store().Notices, Calendar: a.Store().Rollup.Calendar, Redis: a.Redis(), Runs: status.Log{Redis: a.Redis()}, Plan: plan,
		Usage: Usage(a, history), Alone: Usage(a, nil), Degraded: func() []string { return a.Guard().Measures().Names() }, PlanCommands: a.Plan(), Version: app.Version(), Now: a.Now,
	}
	if history != nil {
		r.Archive = looked{history}
		r.Astray = astrayOf(a.Game(), history)
		if len(webhook.EndpointsOf(a.Game())) > 0 {
			r.Webhooks = func(ctx context.Context) ([]status.Webhook, error) { return webhookStates(ctx, history) }
		}
	}
	return r
}

// RunOps serves the function ops on the host that the process detects, configured by its
// environment. It does not return. What it has around it is passed in, so that no other function
// links the client of the queues.
func RunOps(has ...func(getenv func(string) string, around *Around) error) {
	app.RunWith(func(a *app.App) (app.Function, error) {
		plan, err := planFromEnv()
		if err != nil {
			return app.Function{}, err
		}
		history, err := archiveFromEnv(1)
		if err != nil {
			return app.Function{}, err
		}
		around := Around{Plan: plan}
		for _, add := range has {
			if err := add(app.Getenv, &around); err != nil {
				return app.Function{}, err
			}
		}
		p := NewProduct(a, history)
		return app.Function{API: p.api, Handler: p.Function("ops", around)}, nil
	})
}

// looked is the archive as package status uses it.
type looked struct{ archive *archive.Archive }

func (l looked) Schema(ctx context.Context) (has, needs int64, err error) {
	has, err = l.archive.Schema(ctx)
	return has, archive.SchemaVersion, err
}

func (l looked) WholeDays(ctx context.Context, mode string, from game.Date) ([]status.WholeDay, error) {
	days, err := l.archive.Days.Between(ctx, mode, from, game.NewDate(9999, 12, 31))
	var whole []status.WholeDay
	for _, d := range days {
		if d.Complete {
			whole = append(whole, status.WholeDay{Date: d.Date, Players: d.Players})
		}
	}
	return whole, err
}

func (l looked) Lasting(ctx context.Context, modes []string, before game.Date) ([]string, error) {
	return l.archive.Days.ModesBefore(ctx, modes, before)
}
