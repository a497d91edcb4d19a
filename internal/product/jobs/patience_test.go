package jobs_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// A job waits for a command that takes Redis long, and does not send it again.
func TestAScheduleWaitsForLargeCommands(t *testing.T) {
	for command, delay := range map[string]time.Duration{"ZUNIONSTORE": 3 * time.Second, "HGETALL": 2 * time.Second} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, weekly(t, command, 0), weekly(t, command, delay))
		})
	}
}

// weekly closes a week; the first of its commands of one name is delayed. It returns how many
// requests had that command.
func weekly(t *testing.T, command string, delay time.Duration) int64 {
	redis := upstashtest.Start(t, upstashtest.Options{})
	client, err := upstash.New(upstash.Config{URL: redis.URL(), Token: redis.Token()})
	require.NoError(t, err)
	g, err := app.LoadGame("")
	require.NoError(t, err)
	now := time.Date(2026, 11, 10, 12, 0, 0, 0, time.UTC)
	a := app.New(app.Parts{Game: g, Redis: client, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)})
	m, ok := g.Mode("daily_frame")
	require.True(t, ok)
	for day := range 3 {
		_, err := a.Store().Boards.Submit(t.Context(), game.Submission{Mode: m, Player: "user_a", Date: game.DateOf(now).AddDays(-day), Score: 100, At: now})
		require.NoError(t, err)
	}
	now = now.Add(7 * 24 * time.Hour)
	var seen atomic.Int64
	redis.Inject(func(r upstashtest.Request) upstashtest.Fault {
		for _, c := range r.Commands {
			if c[0] == command && seen.Add(1) == 1 {
				return upstashtest.Fault{Delay: delay}
			}
		}
		return upstashtest.Fault{}
	})
	_, err = jobs.New(a, nil).Weekly(context.WithoutCancel(t.Context()), now)
	require.NoError(t, err)
	require.Positive(t, seen.Load())
	return seen.Load()
}
