package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/dev/demo"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/platform/wait"
)

const (
	demoSeed    = 1
	demoPlayers = 160
	demoDays    = 8 // a week and a day, if a day's board lives so long
)

// startDemo plays the past of a running product, and continues beside it until stop is called.
// It returns a description for the greeting.
func startDemo(ctx context.Context, url string, o local.Options, log io.Writer) (does string, stop func(), err error) {
	logger := slog.New(slog.NewJSONHandler(log, nil))
	days := min(demoDays, int(o.Game.Lives.Day/(24*time.Hour)))
	options := demo.Options{
		URL: url, Seed: demoSeed, Players: demoPlayers, Days: days, Now: time.Now, Wait: wait.Sleep,
		Failed: func(err error) { logger.Error("demo", slog.String("error", err.Error())) },
	}
	options.Acts = actsOf(o.Game)
	d, err := demo.New(ctx, options)
	if err != nil {
		return "", nil, fmt.Errorf("-demo: %w", err)
	}
	if err := d.Past(ctx); err != nil {
		d.Close()
		return "", nil, fmt.Errorf("-demo: write the days before today: %w", err)
	}
	live, end := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		d.Live(live)
	}()
	return d.String(), func() { end(); <-ended; d.Close() }, nil
}
