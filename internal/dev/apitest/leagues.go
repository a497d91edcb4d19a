package apitest

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/stretchr/testify/require"
)

const (
	LeaguePath = "/v1/leagues/me"

	InLeagues = "leagues: {tiers: [Wood, Tin], rewards: [gold chest]}\n"
)

// Leagued has a call made in a game with leagues.
func Leagued(c func(*Stack) Call) func(*Stack) Call {
	return func(s *Stack) Call {
		if !strings.Contains(s.Game, InLeagues) {
			s.Game += InLeagues
			s.Handler = s.Process()
		}
		return c(s)
	}
}

// Leaguing is leagued, of a player who has played today.
func Leaguing(c Call) func(*Stack) Call {
	return Leagued(func(s *Stack) Call {
		player := Another("user_l")
		s.Play(player, "daily", "5")
		return s.As(player, c)
	})
}

type LeagueBody struct {
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

func (s *Stack) League(player string) (body LeagueBody) {
	require.NoError(s, json.Unmarshal(s.Want(http.StatusOK, s.As(player, Get(LeaguePath))).Body, &body))
	return body
}

const (
	MyBadges    = "/v1/me/badges"
	TheirBadges = "/v1/players/user_b/badges"
)
