// Command enqueue is the function enqueue, on Lambda or Cloud Run.
package main

import (
	"fmt"

	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/feature/queue/sqsqueue"
	"github.com/framedle/leaderboards/internal/product/app"
)

// envQueue is the variable with the URL of the queue for scores.
const envQueue = "QUEUE_URL"

func main() {
	app.RunWith(func(a *app.App) (app.Function, error) {
		q, err := sqsqueue.New(sqsqueue.FromLambda(app.Getenv(envQueue), app.Getenv))
		if err != nil {
			return app.Function{}, fmt.Errorf("%s: %w", envQueue, err)
		}
		all := a.API(app.PostgresParts{})
		return app.Function{API: all, Handler: all.Intake("enqueue", app.Services{Queue: queue.Writer{Sender: q}})}, nil
	})
}
