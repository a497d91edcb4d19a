package app

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/host"
	"github.com/framedle/leaderboards/internal/usage"
)

// RunQueue is RunHTTP for a function that takes messages of a queue.
func RunQueue(f func(*App) host.QueueFunc) {
	run(nil, func(ctx context.Context, a *App, w watch, ending *host.Ending) error {
		take := f(a)
		return host.RunQueue(ctx, func(ctx context.Context, messages []host.QueueMessage) (failed []string, err error) {
			// Metered like the run of a schedule, because there is no request.
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
