package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGroupsAreRankedAgainstEachOther(t *testing.T) {
	s := newStack(t)
	s.want(http.StatusBadRequest, get(daily+"?scope=groups"))
	s.game = strings.Replace(s.game, "daily: {max: 1000, xp: 1, scopes: [country, region, group], details: true}", "daily: {max: 1000, xp: 1, scopes: [country, group], teams: sum, details: true}", 1)
	require.NotEqual(t, testGame, s.game)
	s.handler = s.process()
	for _, body := range []string{
		`{"mode":"daily","score":100,"player":"user_a","groups":["red"]}`,
		`{"mode":"daily","score":200,"player":"user_b","groups":["red","blue"]}`,
		`{"mode":"daily","score":400,"player":"red"}`, // a player who is called as a group is
	} {
		s.want(http.StatusCreated, post(scores, body).signed())
	}
	page := s.page(daily + "?scope=groups&period=week")
	require.Equal(t, "groups", page.Scope)
	require.Equal(t, []string{"red", "blue"}, s.players(daily+"?scope=groups&period=week"))
	a := s.want(http.StatusOK, get(daily+"/players/red?scope=groups"))
	require.JSONEq(t, `{"mode":"daily","period":"day","key":"2026-11-18","scope":"groups","rank":1,"player":"red","score":300,
		"total":2,"percentile":100,"top_percent":50,"previous_rank":null,"rank_change":null}`, string(a.body))
	require.Equal(t, []string{"red", "blue"}, s.players(daily+"/around/blue?scope=groups&period=alltime"))
	s.want(http.StatusOK, post(lookup+"?scope=groups", `{"players":["blue","green"]}`))
	s.want(http.StatusNotFound, get(daily+"/players/user_a?scope=groups"))
	for _, path := range []string{"", "/players/red", "/around/red"} {
		require.NotContains(t, string(s.want(http.StatusOK, s.as("red", get(daily+path+"?scope=groups"))).body), `"me"`, "the row is the group's")
	}
	a = s.want(http.StatusBadRequest, s.as("red", get(daily+"/players/me?scope=groups")))
	require.Contains(t, string(a.body), "this board ranks groups; put the group's id in the place of me")
}
