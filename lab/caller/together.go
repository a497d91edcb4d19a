package caller

import (
	"context"
	"sync"
)

// Together runs tasks concurrently, at most workers of them at once. After an error it
// starts no more tasks; it returns the first error once all running tasks have ended.
func Together(ctx context.Context, workers int, tasks []func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan func(context.Context) error)
	var wait sync.WaitGroup
	for range min(workers, len(tasks)) {
		wait.Go(func() {
			for task := range queue {
				if err := task(ctx); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, task := range tasks {
		if ctx.Err() != nil {
			break
		}
		queue <- task
	}
	close(queue)
	wait.Wait()
	return context.Cause(ctx)
}
