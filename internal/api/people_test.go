package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

const (
	myResults     = "/v1/me/results"
	myRanks       = "/v1/me/ranks"
	opsBans       = "/v1/ops/bans"
	opsLog        = "/v1/ops/log"
	opsStatistics = "/v1/ops/statistics"
	opsPlayers    = "/v1/ops/players?name=an"
)

func peopleScenarios() map[string]apitest.Scenario {
	all := map[string]apitest.Scenario{
		"GET /v1/me/export 200":      {Call: apitest.As("user_e1", apitest.Get(apitest.MyExport))},
		"GET /v1/me/export 400":      {Call: apitest.As("user_e1", apitest.Get(apitest.MyExport+"?cursor=AAAA")), Kind: "invalid-request"},
		"GET /v1/me/export 401":      {Call: apitest.Plain(apitest.Get(apitest.MyExport)), Kind: "unauthenticated"},
		"GET /v1/me/export 403":      {Call: func(s *apitest.Stack) apitest.Call { return apitest.Get(apitest.MyExport).Bearer(s.Device().Token) }, Kind: "forbidden"},
		"GET /v1/me/export 429":      {Call: apitest.After(3, apitest.As("user_e2", apitest.Get(apitest.MyExport))), Kind: "rate-limited"},
		"GET /v1/me/export 500":      {Call: apitest.As("user_e3", apitest.Get(apitest.MyExport)), Fault: apitest.RefusedCommand, Kind: "internal"},
		"GET /v1/me/export 503":      {Call: apitest.As("user_e3", apitest.Get(apitest.MyExport)), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},
		"GET /v1/me/results 200":     {Call: apitest.As("user_e1", apitest.Get(myResults+"?limit=5"))},
		"GET /v1/me/results 400":     {Call: apitest.As("user_e1", apitest.Get(myResults+"?limit=101&cursor=AAAA")), Kind: "invalid-request"},
		"GET /v1/me/results 401":     {Call: apitest.Plain(apitest.Get(myResults)), Kind: "unauthenticated"},
		"GET /v1/me/results 404":     {Call: apitest.As("user_e1", apitest.Get(myResults+"?mode=nothing")), Kind: "unknown-mode"},
		"GET /v1/me/results 429":     {Call: apitest.From("192.0.2.22:1", apitest.Get(myResults)), Kind: "rate-limited"},
		"GET /v1/me/results 500":     {Call: apitest.As("user_e3", apitest.Get(myResults)), Fault: apitest.RefusedCommand, Kind: "internal"},
		"GET /v1/me/results 503":     {Call: apitest.As("user_e3", apitest.Get(myResults)), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},
		"GET /v1/me/ranks 200":       {Call: apitest.As("user_e1", apitest.Get(myRanks+"?mode=daily&limit=5"))},
		"GET /v1/me/ranks 400":       {Call: apitest.As("user_e1", apitest.Get(myRanks+"?limit=32")), Kind: "invalid-request"},
		"GET /v1/me/ranks 401":       {Call: apitest.Plain(apitest.Get(myRanks + "?mode=daily")), Kind: "unauthenticated"},
		"GET /v1/me/ranks 404":       {Call: apitest.As("user_e1", apitest.Get(myRanks+"?mode=nothing")), Kind: "unknown-mode"},
		"GET /v1/me/ranks 429":       {Call: apitest.From("192.0.2.28:1", apitest.Get(myRanks+"?mode=daily")), Kind: "rate-limited"},
		"GET /v1/me/ranks 500":       {Call: apitest.WithoutRights(apitest.As("user_e1", apitest.Get(myRanks+"?mode=daily"))), Kind: "internal"},
		"GET /v1/me/ranks 503":       {Call: apitest.Over("127.0.0.1:1/nothing", apitest.As("user_e1", apitest.Get(myRanks+"?mode=daily"))), Kind: "temporarily-unavailable"},
		"GET /v1/ops/statistics 501": {Call: apitest.Without(apitest.Operator(apitest.Get(opsStatistics))), Kind: "no-database"},
		"GET /v1/ops/players 501":    {Call: apitest.Without(apitest.Operator(apitest.Get(opsPlayers))), Kind: "no-database"},
		"GET /v1/ops/log 501":        {Call: apitest.Without(apitest.Operator(apitest.Get(opsLog))), Kind: "no-database"},
	}
	for pattern, calls := range map[string]struct{ good, bad apitest.Call }{
		"GET /v1/ops/players/{player}": {apitest.Get(opsErase), apitest.Get(opsErase + "?cursor=AAAA")},
		"GET /v1/ops/bans":             {apitest.Get(opsBans), apitest.Get(opsBans + "?cursor=AAAA")},
		"GET /v1/ops/players":          {apitest.Get(opsPlayers), apitest.Get("/v1/ops/players?name=a")},
		"GET /v1/ops/statistics":       {apitest.Get(opsStatistics + "?days=7"), apitest.Get(opsStatistics + "?days=91")},
		"GET /v1/ops/log":              {apitest.Get(opsLog + "?player=user_z"), apitest.Get(opsLog + "?limit=1001")},
	} {
		all[pattern+" 200"] = apitest.Scenario{Call: apitest.Operator(calls.good)}
		all[pattern+" 400"] = apitest.Scenario{Call: apitest.Operator(calls.bad), Kind: "invalid-request"}
		all[pattern+" 401"] = apitest.Scenario{Call: apitest.Plain(calls.good), Kind: "unauthenticated"}
		all[pattern+" 429"] = apitest.Scenario{Call: apitest.After(5, apitest.Plain(calls.good.Bearer("guessed").CameFrom("192.0.2.25:1"))), Kind: "rate-limited"}
		all[pattern+" 403"] = apitest.Scenario{Call: apitest.As("user_z", calls.good), Kind: "forbidden"}
		all[pattern+" 500"] = apitest.Scenario{Call: apitest.WithoutRights(apitest.Operator(calls.good)), Kind: "internal"}
		all[pattern+" 503"] = apitest.Scenario{Call: apitest.Over("127.0.0.1:1/nothing", apitest.Operator(calls.good)), Kind: "temporarily-unavailable"}
	}
	return all
}

// documentBody is what is kept of a player, as far as it is looked at here.
type documentBody struct {
	Player  string
	Known   bool
	Sources []string
	Results []struct {
		Mode, Date string
		Score      json.Number
	}
	Duels []struct{ ID string }
	Ban   *struct{ Reason string }
	Next  *string
}

func TestAPlayerAndTheOperatorReadTheSameDocument(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "500")
	s.Arrange("match", "user_a", "user_b")
	var own, answer documentBody
	a := s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.MyExport)))
	require.NoError(t, json.Unmarshal(a.Body, &own))
	require.Contains(t, a.Header.Get("Content-Disposition"), "attachment")
	require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get("/v1/ops/players/user_a").Bearer(apitest.OpsToken)).Body, &answer))
	require.Equal(t, own, answer)
	require.True(t, own.Known)
	require.Equal(t, []string{"redis"}, own.Sources)
	require.Equal(t, "daily", own.Results[0].Mode)
	require.Equal(t, "match", own.Duels[0].ID, "of duels")
	require.Nil(t, own.Ban)

	var nobody documentBody
	require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get("/v1/ops/players/user_nobody").Bearer(apitest.OpsToken)).Body, &nobody))
	require.False(t, nobody.Known)
}

// Players are found by the beginnings of their names, page by page, whatever is in them, and not
// once they are erased.
func TestTheOperatorFindsPlayersByName(t *testing.T) {
	s := apitest.NewStack(t)
	s.Keep()
	var profiles []game.PlayerProfile
	for i := range 45 {
		name := []string{"Kavi %d", "kavi %d", "KAVI %d"}[i%3]
		profiles = append(profiles, game.PlayerProfile{Player: fmt.Sprint("user_k", i), Profile: game.Profile{Name: fmt.Sprintf(name, i%4)}, UpdatedAt: s.Clock.Now()})
	}
	profiles = append(profiles, game.PlayerProfile{Player: "user_p", Profile: game.Profile{Name: "100% Ana"}, UpdatedAt: s.Clock.Now()})
	require.NoError(t, s.Kept().Profiles.Put(t.Context(), profiles))
	type page struct {
		Players []struct{ Player, Name string }
		Next    *string
	}
	find := func(query string) (p page) {
		t.Helper()
		a := s.Want(http.StatusOK, apitest.Operator(apitest.Get("/v1/ops/players?"+query))(s))
		require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
		require.NoError(t, json.Unmarshal(a.Body, &p))
		return p
	}
	seen, before := map[string]bool{}, ""
	for next := ""; ; {
		p := find("name=kAVi" + next)
		for _, row := range p.Players {
			require.False(t, seen[row.Player], row.Player)
			require.LessOrEqual(t, before, strings.ToLower(row.Name))
			seen[row.Player], before = true, strings.ToLower(row.Name)
		}
		if p.Next == nil {
			break
		}
		require.Len(t, p.Players, 20)
		next = "&cursor=" + *p.Next
	}
	require.Len(t, seen, 45)
	require.Len(t, find("name=kavi&limit=3").Players, 3)
	require.Len(t, find("name=100%25").Players, 1)
	require.Empty(t, find("name=%25%25").Players)
	require.Empty(t, find("name=user_k").Players, "an id is no name")
	_, err := s.Kept().ErasePlayer(t.Context(), "user_p", game.Act{ID: "erased", Actor: "operator", At: s.Clock.Now()})
	require.NoError(t, err)
	require.Empty(t, find("name=100").Players, "erased")
	for _, bad := range []string{"", "name=", "name=a", "name=a%00b", "name=%ff%ff", "name=ab&cursor=AAAA", "name=ab&limit=21", "name=" + strings.Repeat("a", 81), "name=ab&cursor=e30"} {
		s.Do(apitest.Operator(apitest.Get("/v1/ops/players?"+bad))(s)).Problem(t, "invalid-request")
	}
}

func TestABadCursorCostsNothing(t *testing.T) {
	s := apitest.NewStack(t)
	s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.MyExport)))
	commands, _ := s.Spent(func() { s.Want(http.StatusBadRequest, s.As("user_a", apitest.Get(apitest.MyExport+"?cursor=AAAA"))) })
	require.Zero(t, commands)
}

// HEAD asks whether there is an export and what it would be: it is not one of the day's three.
func TestAskingForTheHeadersOfAnExportIsNoExport(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "700")
	head := s.As("user_a", apitest.Get(apitest.MyExport))
	head.Method = http.MethodHead
	for range 5 {
		a := s.Want(http.StatusOK, head)
		require.Empty(t, a.Body)
		require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
		require.Equal(t, "application/json", a.Header.Get("Content-Type"))
		require.Equal(t, `attachment; filename="player.json"`, a.Header.Get("Content-Disposition"))
	}
	for range 3 {
		require.Contains(t, string(s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.MyExport))).Body), `"player":"user_a"`)
	}
	s.Want(http.StatusTooManyRequests, s.As("user_a", apitest.Get(apitest.MyExport)))
	bad := s.As("user_a", apitest.Get(apitest.MyExport+"?cursor=AAAA"))
	bad.Method = http.MethodHead
	s.Want(http.StatusBadRequest, bad)
}
