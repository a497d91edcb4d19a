package app

import (
	"context"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/host"
	"github.com/framedle/leaderboards/internal/queue"
	"github.com/framedle/leaderboards/internal/usage"
)

// Enqueue is the handler of the function enqueue.
func (a *App) Enqueue(q api.Queue) http.Handler { return a.api.Enqueue(q) }

// Ingest is what the function ingest does.
func (a *App) Ingest() *queue.Ingest { return &queue.Ingest{Game: a.game, Store: a.store, Log: a.log} }

// RunQueue is RunHTTP for a function that takes messages of a queue.
func RunQueue(f func(*App) host.QueueFunc) {
	run(func(ctx context.Context, a *App, w watch, ending *host.Ending) error {
		take := f(a)
		return host.RunQueue(ctx, func(ctx context.Context, messages []host.QueueMessage) (failed []string, err error) {
			// Metered like a schedule's run: there is no request.
			metered := w.Scheduled(func(ctx context.Context, _ time.Time) (any, error) {
				usage.CalledBy(ctx, usage.Caller{Kind: usage.Queue})
				failed, err = take(ctx, messages)
				return nil, err
			})
			_, _ = metered(ctx, time.Time{})
			return failed, err
		}, ending)
	})
}
