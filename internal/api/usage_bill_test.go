package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/usage"
)

// bill is the bill of an answer of GET /v1/ops/usage.
type bill struct {
	Dollars float64
	Without float64 `json:"dollars_without_free_tiers"`
	Plans   map[string]string
	Lines   []struct {
		Item              string
		Quantity, Dollars float64
		Without           float64 `json:"dollars_without_free_tiers"`
	}
	NotCounted []string `json:"not_counted"`
}

// A day on Lambda is projected to the month, item by item, with what is known of
// calls; it costs no command more than the counts alone.
func TestTheWholeBillIsTold(t *testing.T) {
	s := apitest.NewStack(t)
	yesterday := game.DateOf(apitest.Noon).AddDays(-1)
	for field, value := range map[string]string{
		"submit:p1:player:POST /v1/scores":    usage.Count{Calls: 100_000, Commands: 200_000, Sent: 20e6, Received: 10e6}.String(),
		"submit:p1:lambda":                    usage.Lambda{Calls: 1000, Requests: 1000, Milliseconds: 8000, Memory: 8000 * 256, ColdStarts: 10, Logged: 200_000, Answered: 300_000}.String(),
		"cron-daily:p1:schedule:schedule":     usage.Count{Calls: 1, Commands: 150}.String(),
		"cron-daily:p1:lambda":                usage.Lambda{Calls: 1, Milliseconds: 20_000, Memory: 20_000 * 512, ColdStarts: 1, Logged: 150, Awake: 1}.String(),
		"leaderboard:p1:player:GET /v1/ranks": usage.Count{Calls: 1000}.String(), // of a process that has told of nothing else
	} {
		_, err := s.Redis.Server.Redis().Do(t.Context(), "HSET", usage.Key(yesterday), field, value)
		require.NoError(t, err)
	}
	var answer struct{ Bill bill }
	commands, _ := s.Spent(func() {
		require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get(apitest.OpsUsage+"?days=1").Bearer(apitest.OpsToken)).Body, &answer))
	})
	require.EqualValues(t, 8, commands, "the days of the projection, as before")
	quantity, dollars := map[string]float64{}, 0.0
	for _, line := range answer.Bill.Lines {
		quantity[line.Item] = line.Quantity
		dollars += line.Dollars
	}
	const november = 30
	require.InDelta(t, november*101_000, quantity["gateway_requests"], 1e-6)
	require.InDelta(t, november*101_001, quantity["lambda_requests"], 1e-6)
	require.InDelta(t, november*200_150, quantity["redis_commands"], 1e-6)
	require.InDelta(t, november*30e6/1e9, quantity["redis_gb"], 1e-6)
	require.InDelta(t, november, quantity["scheduled_runs"], 1e-6)
	require.InDelta(t, 4, quantity["custom_metrics"], 1e-6)
	require.InDelta(t, 7, quantity["alarm_metrics"], 1e-6)
	require.InDelta(t, november*100_000*(0.008+0.01*0.1)*0.25, quantity["lambda_gb_seconds"], 2_000, "and what a thousand calls of leaderboard take")
	require.InDelta(t, november*101_001*(199.95+26)/1e9, quantity["log_gb"], 1e-3)
	require.InDelta(t, november*(1+0.2)*0.25*5/60, quantity["postgres_cu_hours"], 0.6, "one wakes it, and leaderboard is taken for the mean of those that are known")
	require.Equal(t, map[string]string{"AWS": "on demand", "Upstash": "fixed 250 MB", "Neon": "free"}, answer.Bill.Plans, "6 million commands are dearer one by one")
	require.InDelta(t, answer.Bill.Dollars, dollars, 1e-3)
	require.InDelta(t, 10+3.03+0.4060, answer.Bill.Dollars, 0.01, "the plan, the gateway, and two million invocations beyond what is free")
	require.Greater(t, answer.Bill.Without, answer.Bill.Dollars)
	require.Equal(t, []string{"redis_stored_gb", "postgres_stored_gb", "postgres_gb"}, answer.Bill.NotCounted)
}

// What a call of a route may cost stands beside what it did.
func TestRoutesAreToldWithTheirBudgets(t *testing.T) {
	s := apitest.NewStack(t)
	for _, field := range []string{"submit:p1:player:POST /v1/scores", "cron-daily:p1:schedule:schedule"} {
		_, err := s.Redis.Server.Redis().Do(t.Context(), "HSET", usage.Key(game.DateOf(apitest.Noon)), field, usage.Count{Calls: 10, Commands: 20}.String())
		require.NoError(t, err)
	}
	budgets := func(by string) map[string]*int64 {
		var answer struct {
			Days []map[string]json.RawMessage
		}
		require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get(apitest.OpsUsage+"?days=1&by="+by).Bearer(apitest.OpsToken)).Body, &answer))
		var shares map[string]struct{ Budget *int64 }
		require.NoError(t, json.Unmarshal(answer.Days[0]["by_"+by], &shares))
		all := map[string]*int64{}
		for name, s := range shares {
			all[name] = s.Budget
		}
		return all
	}
	budget := s.Budgets()["POST /v1/scores"]
	require.Equal(t, map[string]*int64{"POST /v1/scores": &budget, "schedule": nil}, budgets("route"), "a schedule is no route")
	require.Equal(t, map[string]*int64{"player": nil, "schedule": nil}, budgets("caller"))
}
