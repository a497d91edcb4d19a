package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// With an archive, a claim moves days that may still change: in Redis at once, in the archive
// with the next daily job. Rolled-up days stay with the device, and the two stores keep
// agreeing.
func TestAClaimReachesTheArchive(t *testing.T) {
	p := newProduct(t)
	ctx := context.Background()
	first := p.playDays(t, 10)
	days := func(player string) map[game.Date]game.Score {
		past, err := p.removals.Archive.Past(ctx, player)
		require.NoError(t, err)
		of := map[game.Date]game.Score{}
		for _, row := range past.Results {
			of[row.Date] = p.mode(t).Decode(row.Stored)
		}
		return of
	}
	claims := jobs.Claims(p.app, p.history)
	var claimed lifecycle.ClaimReport
	for range 2 {
		var err error
		claimed, err = claims.Claim(ctx, "user_a", "user_c")
		require.NoError(t, err)
	}
	moved := len(claimed.Days)
	require.Equal(t, 6, moved, "the days in the first three quarters of their lives")
	require.EqualValues(t, 100*moved, p.allTime(t, "user_c"))
	require.EqualValues(t, 100*(10-moved), p.allTime(t, "user_a"))
	xp := func(player string) int64 {
		me, err := p.app.Store().Boards.Me(ctx, player, nil)
		require.NoError(t, err)
		return me.XP
	}
	for day := range 3 {
		require.EqualValues(t, 100*moved, xp("user_c"), "day %d", day)
		require.EqualValues(t, 100*(10-moved), xp("user_a"), "day %d", day)
		require.EqualValues(t, 2000, xp("user_b"), "day %d", day)
		_, err := p.jobs.Daily(ctx, p.now)
		require.NoError(t, err)
		require.Len(t, days("user_c"), moved)
		require.Len(t, days("user_a"), 10-moved)
		require.Equal(t, game.Score(100), days("user_c")[first.AddDays(9)])
		p.now = p.now.Add(24 * time.Hour)
	}
	_, err := p.removals.Erase(ctx, "user_c", lifecycle.Act{ID: "erase", Actor: "user_c", At: p.now})
	require.NoError(t, err)
	require.Zero(t, p.allTime(t, "user_c"))
	_, err = claims.Claim(ctx, "user_a", "user_b")
	require.ErrorIs(t, err, lifecycle.ErrClaimed, "a claim outlives its player")
}

// What a device still has is erased with its owner.
func TestADeviceIsErasedBehindItsOwner(t *testing.T) {
	p := newProduct(t)
	ctx := context.Background()
	p.playDays(t, 10)
	claims := jobs.Claims(p.app, p.history)
	_, err := claims.Claim(ctx, "user_a", "user_c")
	require.NoError(t, err)
	_, err = p.removals.Erase(ctx, "user_c", lifecycle.Act{ID: "erase", Actor: "user_c", At: p.now})
	require.NoError(t, err)
	require.NotZero(t, p.allTime(t, "user_a"))
	p.now = p.now.Add(24 * time.Hour)
	_, err = p.jobs.Daily(ctx, p.now)
	require.NoError(t, err)
	require.Zero(t, p.allTime(t, "user_a"))
	past, err := p.removals.Archive.Past(ctx, "user_a")
	require.NoError(t, err)
	require.Empty(t, past.Results)
}
