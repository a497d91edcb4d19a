package main

import (
	"fmt"

	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/feature/queue/sqsqueue"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// Variables with the URLs of the queues of dead letters; empty where there is none.
const (
	envFailedRuns = "FAILED_RUNS_QUEUE_URL"
	envDeadScores = "DEAD_SCORES_QUEUE_URL"
)

func deadLetters(getenv func(string) string, around *jobs.Around) (err error) {
	if around.Dead.Runs, err = queueIn(envFailedRuns, getenv); err != nil {
		return err
	}
	around.Dead.Scores, err = queueIn(envDeadScores, getenv)
	return err
}

// queueIn returns the queue whose URL a variable has; nil where it is empty.
func queueIn(name string, getenv func(string) string) (queue.DeadLetters, error) {
	url := getenv(name)
	if url == "" {
		return nil, nil
	}
	q, err := sqsqueue.New(sqsqueue.FromLambda(url, getenv))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return q, nil
}
