package league_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

func leagueScenarios() map[string]apitest.Scenario {
	mine := apitest.Leaguing(apitest.Get(apitest.LeaguePath))
	return map[string]apitest.Scenario{
		"GET /v1/leagues/me 200": {Call: mine},
		"GET /v1/leagues/me 304": {Call: func(s *apitest.Stack) apitest.Call {
			c := mine(s)
			return c.With("If-None-Match", s.Want(http.StatusOK, c).Header.Get("ETag"))
		}},
		"GET /v1/leagues/me 400": {Call: apitest.As("user_a", apitest.Get(apitest.LeaguePath+"?x=1")), Kind: "invalid-request"},
		"GET /v1/leagues/me 401": {Call: apitest.Plain(apitest.Get(apitest.LeaguePath)), Kind: "unauthenticated"},
		"GET /v1/leagues/me 404": {Call: func(s *apitest.Stack) apitest.Call {
			s.Game = strings.Replace(s.Game, apitest.InLeagues, "", 1)
			s.Handler = s.Process()
			return s.As("user_a", apitest.Get(apitest.LeaguePath))
		}, Kind: "not-found"},
		"GET /v1/leagues/me 429": {Call: apitest.From("192.0.2.26:1", apitest.Get(apitest.LeaguePath)), Kind: "rate-limited"},
		"GET /v1/leagues/me 500": {Call: mine, Fault: apitest.RefusedCommand, Kind: "internal"},
		"GET /v1/leagues/me 501": {Call: apitest.Without(apitest.Leagued(apitest.As("user_a", apitest.Get(apitest.LeaguePath)))), Kind: "no-database"},
		"GET /v1/leagues/me 503": {Call: mine, Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},
	}
}

func TestALeagueIsJoinedByPlayingAndLooking(t *testing.T) {
	s := apitest.NewStack(t)
	s.Elapsed = func() time.Duration { return s.Clock.Now().Sub(apitest.Noon) }
	s.Database = archivetest.Database(t)
	s.History = jobs.NewHistory(s.Kept())
	s.Game += apitest.InLeagues
	s.Handler = s.Process()
	idle := s.League("user_a")
	require.Equal(t, "idle", idle.State)
	require.Equal(t, "Wood", idle.Tier)
	require.Nil(t, idle.Cohort)
	require.Empty(t, idle.Entries)

	s.Play("user_a", "daily", "5")
	s.Play("user_b", "daily", "9")
	s.Play("user_c", "longest", "9") // a mode without XP
	s.Clock.Pass(time.Minute)
	mine := s.League("user_a")
	require.Equal(t, "playing", mine.State)
	require.Equal(t, 2, mine.Rank)
	require.Equal(t, "stay", mine.Zone)
	require.Equal(t, 1, mine.Promote)
	require.Len(t, mine.Entries, 2)
	require.Equal(t, "user_b", mine.Entries[0].Player)
	require.Equal(t, "gold chest", mine.Entries[0].Reward)
	require.Equal(t, "promotion", mine.Entries[0].Zone)
	require.EqualValues(t, 9, mine.Entries[0].XP)
	require.True(t, mine.Entries[1].Me)
	require.Equal(t, "idle", s.League("user_c").State)

	var game struct {
		Leagues  struct{ Tiers []string }
		Features []string
	}
	require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get("/v1/game")).Body, &game))
	require.Equal(t, []string{"Wood", "Tin"}, game.Leagues.Tiers)
	require.Contains(t, game.Features, "leagues")
}

func TestEveryStatusOfLeaguesHappens(t *testing.T) { apitest.EachStatus(t, leagueScenarios()) }
