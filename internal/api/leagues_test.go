package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const (
	leaguePath = "/v1/leagues/me"

	inLeagues = "leagues: {tiers: [Wood, Tin], rewards: [gold chest]}\n"
)

// leagued has a call made in a game with leagues.
func leagued(c func(*stack) call) func(*stack) call {
	return func(s *stack) call {
		if !strings.Contains(s.game, inLeagues) {
			s.game += inLeagues
			s.handler = s.process()
		}
		return c(s)
	}
}

// leaguing is leagued, of a player who has played today.
func leaguing(c call) func(*stack) call {
	return leagued(func(s *stack) call {
		player := another("user_l")
		s.play(player, "daily", "5")
		return s.as(player, c)
	})
}

func leagueScenarios() map[string]scenario {
	mine := leaguing(get(leaguePath))
	return map[string]scenario{
		"GET /v1/leagues/me 200": {call: mine},
		"GET /v1/leagues/me 304": {call: func(s *stack) call {
			c := mine(s)
			return c.with("If-None-Match", s.want(http.StatusOK, c).header.Get("ETag"))
		}},
		"GET /v1/leagues/me 400": {call: as("user_a", get(leaguePath+"?x=1")), kind: "invalid-request"},
		"GET /v1/leagues/me 401": {call: plain(get(leaguePath)), kind: "unauthenticated"},
		"GET /v1/leagues/me 404": {call: func(s *stack) call {
			s.game = strings.Replace(s.game, inLeagues, "", 1)
			s.handler = s.process()
			return s.as("user_a", get(leaguePath))
		}, kind: "not-found"},
		"GET /v1/leagues/me 429": {call: from("192.0.2.26:1", get(leaguePath)), kind: "rate-limited"},
		"GET /v1/leagues/me 500": {call: mine, fault: refusedCommand, kind: "internal"},
		"GET /v1/leagues/me 501": {call: without(leagued(as("user_a", get(leaguePath)))), kind: "no-database"},
		"GET /v1/leagues/me 503": {call: mine, fault: redisDown, kind: "temporarily-unavailable"},
	}
}

type leagueBody struct {
	State, Tier, Zone string
	Cohort            *string
	Rank              int
	Promote, Relegate int
	Entries           []struct {
		Rank         int
		Player, Name string
		XP           int64
		Zone, Reward string
		Me           bool
	}
	Results []struct{ Week string }
}

func (s *stack) league(player string) (body leagueBody) {
	require.NoError(s, json.Unmarshal(s.want(http.StatusOK, s.as(player, get(leaguePath))).body, &body))
	return body
}

func TestALeagueIsJoinedByPlayingAndLooking(t *testing.T) {
	s := newStack(t)
	s.elapsed = func() time.Duration { return s.clock.Now().Sub(noon) }
	s.database = archivetest.Database(t)
	s.history = jobs.NewHistory(s.kept())
	s.game += inLeagues
	s.handler = s.process()
	idle := s.league("user_a")
	require.Equal(t, "idle", idle.State)
	require.Equal(t, "Wood", idle.Tier)
	require.Nil(t, idle.Cohort)
	require.Empty(t, idle.Entries)

	s.play("user_a", "daily", "5")
	s.play("user_b", "daily", "9")
	s.play("user_c", "longest", "9") // a mode without XP
	s.clock.Pass(time.Minute)
	mine := s.league("user_a")
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
	require.Equal(t, "idle", s.league("user_c").State)

	var game struct {
		Leagues  struct{ Tiers []string }
		Features []string
	}
	require.NoError(t, json.Unmarshal(s.want(http.StatusOK, get("/v1/game")).body, &game))
	require.Equal(t, []string{"Wood", "Tin"}, game.Leagues.Tiers)
	require.Contains(t, game.Features, "leagues")
}
