package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/recompute"
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
	var claimed recompute.Claimed
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
	_, err := p.removals.Erase(ctx, "user_c", recompute.Act{ID: "erase", Actor: "user_c", At: p.now})
	require.NoError(t, err)
	require.Zero(t, p.allTime(t, "user_c"))
	_, err = claims.Claim(ctx, "user_a", "user_b")
	require.ErrorIs(t, err, recompute.ErrClaimed, "a claim outlives its player")
}

// What a device still has is erased with its owner.
func TestADeviceIsErasedBehindItsOwner(t *testing.T) {
	p := newProduct(t)
	ctx := context.Background()
	p.playDays(t, 10)
	claims := jobs.Claims(p.app, p.history)
	_, err := claims.Claim(ctx, "user_a", "user_c")
	require.NoError(t, err)
	_, err = p.removals.Erase(ctx, "user_c", recompute.Act{ID: "erase", Actor: "user_c", At: p.now})
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

// A device's badges go to its owner, who keeps the earlier of two dates. Repeating the claim
// changes nothing, wherever it was cut off, in Redis and in Postgres.
func TestAClaimBringsTheDevicesBadges(t *testing.T) {
	onRepairs(t, "name: t\nmodes:\n  daily: {max: 1000}\nbadges:\n  week: {title: A week, streak: 7}\n  wins: {title: Wins, wins: 1}\n  days: {title: Days, days: 3}\n", func(w *world) {
		d := game.DateOf(w.now)
		given := func(player, rule string, days int) badgestore.Given {
			return badgestore.Given{Player: player, Badge: game.Badge{Rule: rule, Earned: d.AddDays(days), Since: d.AddDays(days)}}
		}
		_, err := badgestore.In(w.kept).Give(w.Context(), []badgestore.Given{
			given("device", "week", -3), given("device", "days", -1), given("owner", "week", -1), given("owner", "wins", -2), given("other", "days", 0),
		}, w.now)
		require.NoError(w, err)
		has := func(player string) map[string]string {
			badges, err := badgestore.In(w.kept).Of(w.Context(), player, nil, game.Badge{}, 10)
			require.NoError(w, err)
			all := map[string]string{}
			for _, b := range badges {
				all[b.Rule] = b.Earned.String()
			}
			return all
		}
		claims := jobs.Claims(w.app, w.kept)
		for range 2 {
			_, err := claims.Claim(w.Context(), "device", "owner")
			require.NoError(w, err)
			require.Equal(w, map[string]string{"week": d.AddDays(-3).String(), "wins": d.AddDays(-2).String(), "days": d.AddDays(-1).String()}, has("owner"))
			require.Empty(w, has("device"))
			require.Equal(w, map[string]string{"days": d.String()}, has("other"))
		}
	})
}
