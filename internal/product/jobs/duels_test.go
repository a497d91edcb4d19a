package jobs_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
)

func TestDuelsAreListedFromTheArchiveWhenRedisIsLost(t *testing.T) {
	p := newProduct(t)
	ctx := context.Background()
	duels := jobs.Duels(p.app, p.history)
	_, err := duels.Arrange(ctx, "m", [2]string{"user_a", "user_b"}, "")
	require.NoError(t, err)
	decided, err := duels.Report(ctx, "m", duel.Result{Winner: "user_b", Score: &[2]int64{1, 3}})
	require.NoError(t, err)
	for range 2 {
		_, err = duels.Keeper().Drain(ctx)
		require.NoError(t, err)
	}
	_, err = p.app.Redis().Do(ctx, upstash.Cmd("FLUSHALL"))
	require.NoError(t, err)
	listed, err := duels.Of(ctx, "user_a", duel.Mark{}, 5)
	require.NoError(t, err)
	require.Len(t, listed, 1)
	decided.Until = listed[0].Until // the archive keeps what is over
	require.Equal(t, []duel.Duel{decided}, listed)
}
