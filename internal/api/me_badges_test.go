package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/product/jobs"
)

func TestBadgesComeFromHistoryNewestFirst(t *testing.T) {
	s, a := playHistory(t)
	s.Handler = s.Process()
	me := s.Me("user_7")
	require.NotEmpty(t, me.Badges)
	require.LessOrEqual(t, len(me.Badges), 50)
	all, err := a.Achievements.Of(t.Context(), "user_7")
	require.NoError(t, err)
	require.Len(t, me.Badges, min(len(all), 50))
	for i, b := range me.Badges {
		require.Contains(t, []string{"champion", "podium", "top10"}, b.Kind)
		require.True(t, i == 0 || !b.AwardedAt.After(me.Badges[i-1].AwardedAt))
	}
	require.Equal(t, "2026-W47", me.Badges[0].PeriodKey)
}

func TestWithoutPostgresOnlyBadgesAreMissing(t *testing.T) {
	s := apitest.NewStack(t)
	s.History = jobs.NewHistory(apitest.OpenArchive(t, "postgres://nobody@127.0.0.1:1/none"))
	s.Handler = s.Process()
	s.Play("user_a", "daily", "810")
	me := s.Me("user_a")
	require.True(t, me.BadgesUnavailable)
	require.Empty(t, me.Badges)
	require.EqualValues(t, 810, me.XP)
	s.Want(http.StatusOK, s.As("user_a", apitest.Patch(apitest.Myself, `{"country":"PT"}`)))
	require.Equal(t, "PT", s.Me("user_a").Profile.Country)
}
