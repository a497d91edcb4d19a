package jobs_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func TestABlockKeepsTwoPlayersFromDuels(t *testing.T) {
	p := newProduct(t)
	ctx := context.Background()
	_, err := jobs.Friends(p.app, p.history).Act(ctx, friend.Block, "user_a", "user_b")
	require.NoError(t, err)
	duels := jobs.Duels(p.app, p.history)
	for _, pair := range [][2]string{{"user_a", "user_b"}, {"user_b", "user_a"}} {
		d, err := duels.Challenge(ctx, pair[0], pair[1], "")
		require.NoError(t, err)
		_, err = duels.Accept(ctx, d.ID, pair[1])
		require.ErrorIs(t, err, duel.ErrUnknown)
	}
	d, err := duels.Challenge(ctx, "user_b", "user_c", "")
	require.NoError(t, err)
	_, err = duels.Accept(ctx, d.ID, "user_c")
	require.NoError(t, err)
}
