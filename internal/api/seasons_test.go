package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// withSeasons is a product of a game with two seasons, with a month between them.
func withSeasons(t *testing.T) *apitest.Stack {
	s := apitest.NewStack(t)
	s.Game += `
seasons:
  - {name: summer, first: 2026-06-01, last: 2026-08-31}
  - {name: autumn, first: 2026-10-01, last: 2026-12-31}
`
	s.Handler = s.Process()
	return s
}

func TestASeasonIsReadLikeAnyPeriod(t *testing.T) {
	s := withSeasons(t)
	s.Play("user_a", "daily", "700")
	s.Play("user_b", "daily", "800")
	require.Equal(t, []string{"user_b", "user_a"}, s.Players(apitest.Daily+"?period=season"))
	a := s.Want(http.StatusOK, apitest.Get(apitest.Daily+"/players/user_a?period=season&date=2026-12-31"))
	require.JSONEq(t, `{"mode":"daily","period":"season","key":"autumn","scope":"global","rank":2,"player":"user_a","score":700,
		"total":2,"percentile":50,"top_percent":100,"previous_rank":null,"rank_change":null}`, string(a.Body))
	over := s.Page(apitest.Daily + "?period=season&date=2026-07-01")
	require.Equal(t, "summer", over.Key)
	require.True(t, over.Closed)
	require.Equal(t, []string{"user_b", "user_a"}, s.Players(apitest.Daily+"/around/user_a?period=season"))
}

func TestADateInNoSeasonNamesTheSeasons(t *testing.T) {
	s := withSeasons(t)
	before := s.Redis.Ran()
	for _, path := range []string{apitest.Daily, apitest.Daily + "/players/user_a", apitest.Daily + "/around/user_a"} {
		a := s.Want(http.StatusNotFound, apitest.Get(path+"?period=season&date=2026-09-15"))
		require.Contains(t, string(a.Body), "problems.md#unknown-season", path)
		require.Contains(t, string(a.Body), "2026-09-15 is in no season; there is summer (2026-06-01 to 2026-08-31), autumn (2026-10-01 to 2026-12-31)", path)
	}
	s.Want(http.StatusBadRequest, apitest.Get("/v1/leaderboards/xp?period=season"))
	require.Equal(t, before, s.Redis.Ran(), "no command")

	s = apitest.NewStack(t)
	a := s.Want(http.StatusBadRequest, apitest.Get(apitest.Daily+"?period=season"))
	require.Contains(t, string(a.Body), "the game has no seasons")
}

func TestRollingDaysAreAskedOfModesThatHaveThem(t *testing.T) {
	s := apitest.NewStack(t)
	before := s.Redis.Ran()
	a := s.Want(http.StatusBadRequest, apitest.Get(apitest.Daily+"?period=last30"))
	require.Contains(t, string(a.Body), "has no rolling boards; use week or month")
	require.Equal(t, before, s.Redis.Ran(), "no command")
}
