package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash"
)

// usageBy is an answer of GET /v1/ops/usage, as far as it is looked at here.
type usageBy struct {
	Days []struct {
		Commands   int64
		ByFunction map[string]usageShare `json:"by_function"`
		ByRoute    map[string]usageShare `json:"by_route"`
		ByCaller   map[string]usageShare `json:"by_caller"`
		BySchedule map[string]usageShare `json:"by_schedule"`
	}
}

type usageShare struct {
	Calls, Commands int64
	RoundTrips      int64 `json:"round_trips"`
}

func (s *stack) usageBy(by string) usageBy {
	var t usageBy
	require.NoError(s, json.Unmarshal(s.want(http.StatusOK, get(opsUsage+"?days=1&by="+by).bearer(opsToken)).body, &t))
	return t
}

// Every caller's requests, through the functions as they are deployed: what is
// told by route and by caller is what the client's meter has counted meanwhile.
func TestUsageIsToldByRouteAndCallerAsTheMeterHasIt(t *testing.T) {
	s := newStack(t)
	watches := map[string]*usage.Watch{}
	functions := s.functions()
	for name, h := range functions {
		watches[name] = usage.New(usage.Options{Function: name, Now: s.clock.Now, Counters: usage.NewCounters(s.client, name, "p")})
		functions[name] = watches[name].Handler(h)
	}
	s.handler = s.served(functions)
	device := s.device()
	wantRoute, wantCaller := map[string]usageShare{}, map[string]usageShare{}
	send := func(route, caller string, c call) {
		commands, roundTrips := s.spent(func() { s.send(c) })
		spent := usageShare{1, commands, roundTrips}
		for key, all := range map[string]map[string]usageShare{route: wantRoute, caller: wantCaller} {
			sum := all[key]
			all[key] = usageShare{sum.Calls + 1, sum.Commands + spent.Commands, sum.RoundTrips + spent.RoundTrips}
		}
	}
	const postScore, getPage, getCard = "POST /v1/scores", "GET /v1/leaderboards/{mode}", "GET /v1/leaderboards/{mode}/players/{player}"
	for range 3 { // below what has counters written
		send(postScore, "player", s.as("user_a", post(scores, goodScore)))
	}
	send(postScore, "server 4a113392", post(scores, `{"mode":"longest","player":"user_s","score":1}`).signed())
	send(postScore, "anonymous", post(scores, goodScore).bearer(device.Token).cameFrom("203.0.113.7:1"))
	send("POST /v1/scores/batch", "operator", post(batch, goodBatch).imported())
	send(getPage, "anonymous", get(daily).cameFrom("203.0.113.99:4711"))
	send(getPage, "anonymous", get(daily))
	send(getCard, "player", s.as("user_a", get(card)))
	send("PUT /v1/ops/bans/{player}", "operator", put(opsBan, "").bearer(opsToken))
	send("GET /v1/ops/health", "operator", get("/v1/ops/health").bearer(opsToken))
	send(postScore, "anonymous", post(scores, goodScore).bearer("no.token.atall"))
	send("other", "anonymous", get("/v1/nothing"))
	var writing upstash.Meter
	for _, w := range watches {
		require.NoError(t, w.Counters.Write(upstash.WithMeter(t.Context(), &writing)))
	}

	day := s.usageBy("route").Days[0]
	require.Equal(t, wantRoute, day.ByRoute)
	require.Nil(t, day.ByCaller)
	day = s.usageBy("caller").Days[0]
	require.Equal(t, wantCaller, day.ByCaller)
	require.Nil(t, day.ByRoute)
	require.Empty(t, s.usageBy("schedule").Days[0].BySchedule)
	require.NotNil(t, s.usageBy("schedule").Days[0].BySchedule)
	require.Nil(t, s.usageBy("function").Days[0].ByRoute)
}

func TestUsageIsToldBySchedule(t *testing.T) {
	s := newStack(t)
	for field, commands := range map[string]int64{
		"cron-daily:p:schedule:schedule": 150, "cron-save:p:schedule:schedule": 20, "ingest:p:queue:schedule": 7, "submit:p:player:POST /v1/scores": 9, "cron-weekly:old": 5,
	} {
		_, err := s.redis.Server.Redis().Do(t.Context(), "HSET", usage.Key(game.DateOf(noon)), field, usage.Count{Calls: 1, Commands: commands, RoundTrips: 1}.String())
		require.NoError(t, err)
	}
	day := s.usageBy("schedule").Days[0]
	require.Equal(t, map[string]usageShare{"cron-daily": {1, 150, 1}, "cron-save": {1, 20, 1}}, day.BySchedule)
	require.EqualValues(t, 191, day.Commands)
	require.Equal(t, map[string]usageShare{
		"schedule": {2, 170, 2}, "queue": {1, 7, 1}, "player": {1, 9, 1}, "unknown": {1, 5, 1},
	}, s.usageBy("caller").Days[0].ByCaller)
	s.want(http.StatusBadRequest, get(opsUsage+"?by=player").bearer(opsToken)).problem(t, "invalid-request")
	a := s.want(http.StatusBadRequest, get(opsUsage+"?by=x").bearer(opsToken)).problem(t, "invalid-request")
	require.Contains(t, fmt.Sprint(a), "function, route, caller, schedule")
}
