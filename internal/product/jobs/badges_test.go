package jobs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func TestBadgesAreTheNewestFiftyWithTheirScope(t *testing.T) {
	a := open(t, archivetest.Database(t))
	for week := range 60 {
		b := game.BoardOf(mode(t), game.Week.Of(monday.AddDays(-7*week)), game.Scope{})
		at := monday.Midnight().AddDate(0, 0, -7*week)
		require.NoError(t, a.Achievements.Put(t.Context(), b, []archive.Award{{Player: "ana", Kind: archive.Champion, Rank: 1}}, at))
	}
	badges, err := jobs.NewHistory(a).Badges(t.Context(), "ana", 50)
	require.NoError(t, err)
	require.Len(t, badges, 50)
	require.Equal(t, "2026-W47", badges[0].PeriodKey)
	require.Equal(t, "global", badges[0].Scope)
	require.True(t, badges[49].AwardedAt.Before(badges[48].AwardedAt))
	none, err := jobs.NewHistory(a).Badges(t.Context(), "nobody", 50)
	require.NoError(t, err)
	require.Empty(t, none)
}
