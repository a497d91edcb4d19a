package api_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	myExport      = "/v1/me/export"
	myResults     = "/v1/me/results"
	opsBans       = "/v1/ops/bans"
	opsLog        = "/v1/ops/log"
	opsStatistics = "/v1/ops/statistics"
	opsAudit      = "/v1/ops/audit?mode=daily"
)

func peopleScenarios() map[string]scenario {
	all := map[string]scenario{
		"GET /v1/me/export 200":      {call: as("user_e1", get(myExport))},
		"GET /v1/me/export 400":      {call: as("user_e1", get(myExport+"?cursor=AAAA")), kind: "invalid-request"},
		"GET /v1/me/export 401":      {call: plain(get(myExport)), kind: "unauthenticated"},
		"GET /v1/me/export 403":      {call: func(s *stack) call { return get(myExport).bearer(s.device().Token) }, kind: "forbidden"},
		"GET /v1/me/export 429":      {call: after(3, as("user_e2", get(myExport))), kind: "rate-limited"},
		"GET /v1/me/export 500":      {call: as("user_e3", get(myExport)), fault: refusedCommand, kind: "internal"},
		"GET /v1/me/export 503":      {call: as("user_e3", get(myExport)), fault: redisDown, kind: "temporarily-unavailable"},
		"GET /v1/me/results 200":     {call: as("user_e1", get(myResults+"?limit=5"))},
		"GET /v1/me/results 400":     {call: as("user_e1", get(myResults+"?limit=101&cursor=AAAA")), kind: "invalid-request"},
		"GET /v1/me/results 401":     {call: plain(get(myResults)), kind: "unauthenticated"},
		"GET /v1/me/results 404":     {call: as("user_e1", get(myResults+"?mode=nothing")), kind: "unknown-mode"},
		"GET /v1/me/results 429":     {call: from("192.0.2.22:1", get(myResults)), kind: "rate-limited"},
		"GET /v1/me/results 500":     {call: as("user_e3", get(myResults)), fault: refusedCommand, kind: "internal"},
		"GET /v1/me/results 503":     {call: as("user_e3", get(myResults)), fault: redisDown, kind: "temporarily-unavailable"},
		"GET /v1/ops/statistics 501": {call: without(operator(get(opsStatistics))), kind: "no-database"},
		"GET /v1/ops/log 501":        {call: without(operator(get(opsLog))), kind: "no-database"},
	}
	for pattern, calls := range map[string]struct{ good, bad call }{
		"GET /v1/ops/players/{player}": {get(opsErase), get(opsErase + "?cursor=AAAA")},
		"GET /v1/ops/bans":             {get(opsBans), get(opsBans + "?cursor=AAAA")},
		"GET /v1/ops/statistics":       {get(opsStatistics + "?days=7"), get(opsStatistics + "?days=91")},
		"GET /v1/ops/log":              {get(opsLog + "?player=user_z"), get(opsLog + "?limit=1001")},
	} {
		all[pattern+" 200"] = scenario{call: operator(calls.good)}
		all[pattern+" 400"] = scenario{call: operator(calls.bad), kind: "invalid-request"}
		all[pattern+" 401"] = scenario{call: plain(calls.good), kind: "unauthenticated"}
		all[pattern+" 429"] = scenario{call: after(5, plain(calls.good.bearer("guessed").cameFrom("192.0.2.25:1"))), kind: "rate-limited"}
		all[pattern+" 403"] = scenario{call: as("user_z", calls.good), kind: "forbidden"}
		all[pattern+" 500"] = scenario{call: withoutRights(operator(calls.good)), kind: "internal"}
		all[pattern+" 503"] = scenario{call: over("127.0.0.1:1/nothing", operator(calls.good)), kind: "temporarily-unavailable"}
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
	s := newStack(t)
	s.play("user_a", "daily", "500")
	s.arrange("match", "user_a", "user_b")
	var own, told documentBody
	a := s.want(http.StatusOK, s.as("user_a", get(myExport)))
	require.NoError(t, json.Unmarshal(a.body, &own))
	require.Contains(t, a.header.Get("Content-Disposition"), "attachment")
	require.NoError(t, json.Unmarshal(s.want(http.StatusOK, get("/v1/ops/players/user_a").bearer(opsToken)).body, &told))
	require.Equal(t, own, told)
	require.True(t, own.Known)
	require.Equal(t, []string{"redis"}, own.Sources)
	require.Equal(t, "daily", own.Results[0].Mode)
	require.Equal(t, "match", own.Duels[0].ID)
	require.Nil(t, own.Ban)

	var nobody documentBody
	require.NoError(t, json.Unmarshal(s.want(http.StatusOK, get("/v1/ops/players/user_nobody").bearer(opsToken)).body, &nobody))
	require.False(t, nobody.Known)
}

func TestABadCursorCostsNothing(t *testing.T) {
	s := newStack(t)
	s.want(http.StatusOK, s.as("user_a", get(myExport)))
	commands, _ := s.spent(func() { s.want(http.StatusBadRequest, s.as("user_a", get(myExport+"?cursor=AAAA"))) })
	require.Zero(t, commands)
}

// HEAD asks whether there is an export and what it would be: it is not one of the day's three.
func TestAskingForTheHeadersOfAnExportIsNoExport(t *testing.T) {
	s := newStack(t)
	s.play("user_a", "daily", "700")
	head := s.as("user_a", get(myExport))
	head.method = http.MethodHead
	for range 5 {
		a := s.want(http.StatusOK, head)
		require.Empty(t, a.body)
		require.Equal(t, "no-store", a.header.Get("Cache-Control"))
		require.Equal(t, "application/json", a.header.Get("Content-Type"))
		require.Equal(t, `attachment; filename="player.json"`, a.header.Get("Content-Disposition"))
	}
	for range 3 {
		require.Contains(t, string(s.want(http.StatusOK, s.as("user_a", get(myExport))).body), `"player":"user_a"`)
	}
	s.want(http.StatusTooManyRequests, s.as("user_a", get(myExport)))
	bad := s.as("user_a", get(myExport+"?cursor=AAAA"))
	bad.method = http.MethodHead
	s.want(http.StatusBadRequest, bad)
}
