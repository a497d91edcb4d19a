// Command cron is a scheduled bootstrap for tests: it answers the time it was
// given, and fails in January.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/framedle/leaderboards/internal/platform/host"
)

func main() {
	err := host.RunScheduled(context.Background(), func(_ context.Context, at time.Time) (any, error) {
		switch at.Month() {
		case time.January:
			return nil, errors.New("no work in January")
		case time.February:
			panic("secret of the function")
		}
		return map[string]any{"closed": at}, nil
	}, nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
