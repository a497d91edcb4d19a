package wait_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/wait"
)

func TestSleepEndsWithItsContext(t *testing.T) {
	require.NoError(t, wait.Sleep(t.Context(), time.Millisecond))
	require.NoError(t, wait.Sleep(t.Context(), -time.Second))
	why := errors.New("enough")
	ctx, end := context.WithCancelCause(t.Context())
	slept := make(chan error)
	go func() { slept <- wait.Sleep(ctx, 24*time.Hour) }()
	end(why)
	require.ErrorIs(t, <-slept, why)
	require.ErrorIs(t, wait.Sleep(ctx, 0), why)
}

func TestBackoffDoublesUpToABound(t *testing.T) {
	for doubled, want := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 10 * time.Second, 10 * time.Second} {
		require.Equal(t, want, wait.Backoff(doubled, time.Second, 10*time.Second))
	}
	require.Equal(t, 4*time.Hour, wait.Backoff(1<<40, time.Minute, 4*time.Hour), "without an overflow")
	require.Equal(t, time.Second, wait.Backoff(0, time.Minute, time.Second))
}
