package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/badge"
	"github.com/framedle/leaderboards/internal/feature/badge/badgestore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// What a closing gives again and again stays taken, also when its player claims a device that
// had it, until it is given back; what was given by hand and taken may be earned.
func TestABadgeThatWasTakenIsNotGivenAgain(t *testing.T) {
	kept := testkit.Archive(t, archivetest.Database(t), jobs.Tables()...)
	table, now, day := badgestore.In(kept), time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), game.NewDate(2026, time.November, 18)
	of := func(player, rule string) badgestore.PlayerBadge {
		return badgestore.PlayerBadge{Player: player, Badge: badge.Badge{Rule: rule, Earned: day, Since: day}}
	}
	closes := func(rule string) int {
		news, err := table.Give(t.Context(), []badgestore.PlayerBadge{of("user_a", rule), of("user_b", rule)}, now)
		require.NoError(t, err)
		return news[rule]
	}
	held := func(player, rule string) badgestore.BadgeState {
		is, err := table.State(t.Context(), of(player, rule))
		require.NoError(t, err)
		return is
	}
	require.Equal(t, 2, closes("earned"))
	require.NoError(t, table.GiveByHand(t.Context(), of("user_a", "gift"), now))
	for range 2 { // a repeated act changes nothing more
		require.NoError(t, table.TakeByHand(t.Context(), of("user_a", "earned"), now))
		require.NoError(t, table.TakeByHand(t.Context(), of("user_a", "gift"), now))
		require.Zero(t, closes("earned"))
		require.Equal(t, badgestore.IsTaken, held("user_a", "earned"))
		require.Equal(t, badgestore.NotHeld, held("user_a", "gift"))
		require.Equal(t, badgestore.IsHeld, held("user_b", "earned"))
	}
	has, err := table.Holders(t.Context(), []string{"earned"}, []string{"user_a"}, day)
	require.NoError(t, err)
	require.True(t, has["user_a"]["earned"], "it is not computed again")
	require.NoError(t, table.CountRarities(t.Context(), now))
	rarities, err := table.Rarities(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(1), rarities["earned"].Holders)
	require.NotContains(t, rarities, "gift")

	require.NoError(t, table.Move(t.Context(), "user_a", "user_c"))
	require.Equal(t, badgestore.IsTaken, held("user_c", "earned"))
	require.NoError(t, table.GiveByHand(t.Context(), of("user_c", "earned"), now))
	require.Equal(t, badgestore.IsHeld, held("user_c", "earned"))
	require.Equal(t, 2, closes("gift"), "it may be earned")

	require.NoError(t, table.TakeByHand(t.Context(), of("user_c", "earned"), now))
	_, err = kept.ErasePlayer(t.Context(), "user_c", game.Act{ID: "erase", Actor: "operator", At: now.Add(time.Hour)})
	require.NoError(t, err)
	require.Equal(t, badgestore.NotHeld, held("user_c", "earned"))
	require.NoError(t, table.GiveByHand(t.Context(), of("user_c", "earned"), now))
	require.Equal(t, badgestore.NotHeld, held("user_c", "earned"), "the player was erased since")
}
