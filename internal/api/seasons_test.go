package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// withSeasons is a product of a game with two seasons, with a month between them.
func withSeasons(t *testing.T) *stack {
	s := newStack(t)
	s.game += `
seasons:
  - {name: summer, first: 2026-06-01, last: 2026-08-31}
  - {name: autumn, first: 2026-10-01, last: 2026-12-31}
`
	s.handler = s.process()
	return s
}

func TestASeasonIsReadLikeAnyPeriod(t *testing.T) {
	s := withSeasons(t)
	s.play("user_a", "daily", "700")
	s.play("user_b", "daily", "800")
	require.Equal(t, []string{"user_b", "user_a"}, s.players(daily+"?period=season"))
	a := s.want(http.StatusOK, get(daily+"/players/user_a?period=season&date=2026-12-31"))
	require.JSONEq(t, `{"mode":"daily","period":"season","key":"autumn","scope":"global","rank":2,"player":"user_a","score":700,
		"total":2,"percentile":50,"top_percent":100,"previous_rank":null,"rank_change":null}`, string(a.body))
	over := s.page(daily + "?period=season&date=2026-07-01")
	require.Equal(t, "summer", over.Key)
	require.True(t, over.Closed)
	require.Equal(t, []string{"user_b", "user_a"}, s.players(daily+"/around/user_a?period=season"))
}

func TestADateInNoSeasonNamesTheSeasons(t *testing.T) {
	s := withSeasons(t)
	before := s.redis.Ran()
	for _, path := range []string{daily, daily + "/players/user_a", daily + "/around/user_a"} {
		a := s.want(http.StatusNotFound, get(path+"?period=season&date=2026-09-15"))
		require.Contains(t, string(a.body), "problems.md#unknown-season", path)
		require.Contains(t, string(a.body), "2026-09-15 is in no season; there is summer (2026-06-01 to 2026-08-31), autumn (2026-10-01 to 2026-12-31)", path)
	}
	s.want(http.StatusBadRequest, get("/v1/leaderboards/xp?period=season"))
	require.Equal(t, before, s.redis.Ran(), "no command")

	s = newStack(t)
	a := s.want(http.StatusBadRequest, get(daily+"?period=season"))
	require.Contains(t, string(a.body), "the game has no seasons")
}

func TestRollingDaysAreAskedOfModesThatHaveThem(t *testing.T) {
	s := newStack(t)
	before := s.redis.Ran()
	a := s.want(http.StatusBadRequest, get(daily+"?period=last30"))
	require.Contains(t, string(a.body), "keeps no boards of rolling days; use week or month")
	require.Equal(t, before, s.redis.Ran(), "no command")
}
