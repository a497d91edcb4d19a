// Command enqueue is the function enqueue, on Lambda or Cloud Run.
package main

import (
	"fmt"
	"net/http"

	"github.com/framedle/leaderboards/internal/app"
	"github.com/framedle/leaderboards/internal/queue"
	"github.com/framedle/leaderboards/internal/queue/sqsqueue"
)

// envQueue names the queue that scores go into.
const envQueue = "QUEUE_URL"

func main() {
	app.RunWith(func(a *app.App) (http.Handler, error) {
		q, err := sqsqueue.New(sqsqueue.FromLambda(app.Getenv(envQueue), app.Getenv))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", envQueue, err)
		}
		return a.Enqueue(queue.Writer{Sender: q}), nil
	})
}
