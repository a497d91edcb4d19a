// Command ops is the function ops, on Lambda or Cloud Run.
package main

import (
	"context"
	"fmt"

	"github.com/framedle/leaderboards/internal/jobs"
	"github.com/framedle/leaderboards/internal/queue/sqsqueue"
	"github.com/framedle/leaderboards/internal/status"
)

// The queues of dead letters; empty where there is none.
const (
	envFailedRuns = "FAILED_RUNS_QUEUE_URL"
	envDeadScores = "DEAD_SCORES_QUEUE_URL"
)

func main() { jobs.RunOps(deadLetters) }

func deadLetters(getenv func(string) string) (dead status.DeadLetters, err error) {
	if dead.Runs, err = waitingIn(envFailedRuns, getenv); err != nil {
		return dead, err
	}
	dead.Scores, err = waitingIn(envDeadScores, getenv)
	return dead, err
}

// waitingIn counts the messages of the queue that a variable names; nil for none.
func waitingIn(name string, getenv func(string) string) (func(context.Context) (int64, error), error) {
	url := getenv(name)
	if url == "" {
		return nil, nil
	}
	q, err := sqsqueue.New(sqsqueue.FromLambda(url, getenv))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return q.Waiting, nil
}
