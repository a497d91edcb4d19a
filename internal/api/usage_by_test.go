package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash"
)

// Every caller's requests, through the functions as they are deployed: what is
// told by route and by caller is what the client's meter has counted meanwhile.
func TestUsageIsToldByRouteAndCallerAsTheMeterHasIt(t *testing.T) {
	s := apitest.NewStack(t)
	watches := map[string]*usage.Watch{}
	functions := s.Functions()
	for name, h := range functions {
		watches[name] = usage.New(usage.Options{Function: name, Now: s.Clock.Now, Counters: usage.NewCounters(s.Client, name, "p")})
		functions[name] = watches[name].Handler(h)
	}
	s.Handler = s.Served(functions)
	device := s.Device()
	wantRoute, wantCaller := map[string]apitest.UsageShare{}, map[string]apitest.UsageShare{}
	send := func(route, caller string, c apitest.Call) {
		commands, roundTrips := s.Spent(func() { s.Send(c) })
		spent := apitest.UsageShare{Calls: 1, Commands: commands, RoundTrips: roundTrips}
		for key, all := range map[string]map[string]apitest.UsageShare{route: wantRoute, caller: wantCaller} {
			sum := all[key]
			all[key] = apitest.UsageShare{Calls: sum.Calls + 1, Commands: sum.Commands + spent.Commands, RoundTrips: sum.RoundTrips + spent.RoundTrips}
		}
	}
	const postScore, getPage, getCard = "POST /v1/scores", "GET /v1/leaderboards/{mode}", "GET /v1/leaderboards/{mode}/players/{player}"
	for range 3 { // below what has counters written
		send(postScore, "player", s.As("user_a", apitest.Post(apitest.Scores, apitest.GoodScore)))
	}
	send(postScore, "server 4a113392", apitest.Post(apitest.Scores, `{"mode":"longest","player":"user_s","score":1}`).Signed())
	send(postScore, "anonymous", apitest.Post(apitest.Scores, apitest.GoodScore).Bearer(device.Token).CameFrom("203.0.113.7:1"))
	send("POST /v1/scores/batch", "operator", apitest.Post(apitest.Batch, goodBatch).Imported())
	send(getPage, "anonymous", apitest.Get(apitest.Daily).CameFrom("203.0.113.99:4711"))
	send(getPage, "anonymous", apitest.Get(apitest.Daily))
	send(getCard, "player", s.As("user_a", apitest.Get(apitest.Card)))
	send("PUT /v1/ops/bans/{player}", "operator", apitest.Put(apitest.OpsBan, "").Bearer(apitest.OpsToken))
	send("GET /v1/ops/health", "operator", apitest.Get("/v1/ops/health").Bearer(apitest.OpsToken))
	send(postScore, "anonymous", apitest.Post(apitest.Scores, apitest.GoodScore).Bearer("no.token.atall"))
	send("other", "anonymous", apitest.Get("/v1/nothing"))
	var writing upstash.Meter
	for _, w := range watches {
		require.NoError(t, w.Counters.Write(upstash.WithMeter(t.Context(), &writing)))
	}

	day := s.UsageBy("route").Days[0]
	require.Equal(t, wantRoute, day.ByRoute)
	require.Nil(t, day.ByCaller)
	day = s.UsageBy("caller").Days[0]
	require.Equal(t, wantCaller, day.ByCaller)
	require.Nil(t, day.ByRoute)
	require.Empty(t, s.UsageBy("schedule").Days[0].BySchedule)
	require.NotNil(t, s.UsageBy("schedule").Days[0].BySchedule)
	require.Nil(t, s.UsageBy("function").Days[0].ByRoute)
}

func TestUsageIsToldBySchedule(t *testing.T) {
	s := apitest.NewStack(t)
	for field, commands := range map[string]int64{
		"cron-daily:p:schedule:schedule": 150, "cron-save:p:schedule:schedule": 20, "ingest:p:queue:schedule": 7, "submit:p:player:POST /v1/scores": 9, "cron-weekly:old": 5,
	} {
		_, err := s.Redis.Server.Redis().Do(t.Context(), "HSET", usage.Key(game.DateOf(apitest.Noon)), field, usage.Count{Calls: 1, Commands: commands, RoundTrips: 1}.String())
		require.NoError(t, err)
	}
	day := s.UsageBy("schedule").Days[0]
	require.Equal(t, map[string]apitest.UsageShare{"cron-daily": {Calls: 1, Commands: 150, RoundTrips: 1}, "cron-save": {Calls: 1, Commands: 20, RoundTrips: 1}}, day.BySchedule)
	require.EqualValues(t, 191, day.Commands)
	require.Equal(t, map[string]apitest.UsageShare{
		"schedule": {Calls: 2, Commands: 170, RoundTrips: 2}, "queue": {Calls: 1, Commands: 7, RoundTrips: 1}, "player": {Calls: 1, Commands: 9, RoundTrips: 1}, "unknown": {Calls: 1, Commands: 5, RoundTrips: 1},
	}, s.UsageBy("caller").Days[0].ByCaller)
	s.Want(http.StatusBadRequest, apitest.Get(apitest.OpsUsage+"?by=player").Bearer(apitest.OpsToken)).Problem(t, "invalid-request")
	a := s.Want(http.StatusBadRequest, apitest.Get(apitest.OpsUsage+"?by=x").Bearer(apitest.OpsToken)).Problem(t, "invalid-request")
	require.Contains(t, fmt.Sprint(a), "function, route, caller, schedule")
}
