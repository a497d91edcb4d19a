package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGroupsAreRankedAgainstEachOther(t *testing.T) {
	s := apitest.NewStack(t)
	s.Want(http.StatusBadRequest, apitest.Get(apitest.Daily+"?scope=groups"))
	s.Game = strings.Replace(s.Game, "daily: {max: 1000, xp: 1, scopes: [country, region, group], details: true}", "daily: {max: 1000, xp: 1, scopes: [country, group], teams: sum, details: true}", 1)
	require.NotEqual(t, apitest.TestGame, s.Game)
	s.Handler = s.Process()
	for _, body := range []string{
		`{"mode":"daily","score":100,"player":"user_a","groups":["red"]}`,
		`{"mode":"daily","score":200,"player":"user_b","groups":["red","blue"]}`,
		`{"mode":"daily","score":400,"player":"red"}`, // a player who is called as a group is
	} {
		s.Want(http.StatusCreated, apitest.Post(apitest.Scores, body).Signed())
	}
	page := s.Page(apitest.Daily + "?scope=groups&period=week")
	require.Equal(t, "groups", page.Scope)
	require.Equal(t, []string{"red", "blue"}, s.Players(apitest.Daily+"?scope=groups&period=week"))
	a := s.Want(http.StatusOK, apitest.Get(apitest.Daily+"/players/red?scope=groups"))
	require.JSONEq(t, `{"mode":"daily","period":"day","key":"2026-11-18","scope":"groups","rank":1,"player":"red","score":300,
		"total":2,"percentile":100,"top_percent":50,"previous_rank":null,"rank_change":null}`, string(a.Body))
	require.Equal(t, []string{"red", "blue"}, s.Players(apitest.Daily+"/around/blue?scope=groups&period=alltime"))
	s.Want(http.StatusOK, apitest.Post(apitest.Lookup+"?scope=groups", `{"players":["blue","green"]}`))
	s.Want(http.StatusNotFound, apitest.Get(apitest.Daily+"/players/user_a?scope=groups"))
	for _, path := range []string{"", "/players/red", "/around/red"} {
		require.NotContains(t, string(s.Want(http.StatusOK, s.As("red", apitest.Get(apitest.Daily+path+"?scope=groups"))).Body), `"me"`, "the row is the group's")
	}
	a = s.Want(http.StatusBadRequest, s.As("red", apitest.Get(apitest.Daily+"/players/me?scope=groups")))
	require.Contains(t, string(a.Body), "this board ranks groups; use the group's id instead of me")
}
