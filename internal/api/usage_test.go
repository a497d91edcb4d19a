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

func TestUsageIsToldByDayAndFunction(t *testing.T) {
	s := apitest.NewStack(t)
	day := game.DateOf(apitest.Noon)
	for field, c := range map[string]usage.Count{
		"submit:p1": {Calls: 10, Commands: 20, RoundTrips: 11, Sent: 900, Received: 800, Failed: 1, Throttled: 2, Replayed: 3, Accepted: 9, Queries: 4, Rows: 40},
		"submit:p2": {Calls: 1, Commands: 2, RoundTrips: 1},
		"me:p1":     {Calls: 5, Commands: 8, RoundTrips: 5},
	} {
		_, err := s.Redis.Server.Redis().Do(t.Context(), "HSET", usage.Key(day.AddDays(-1)), field, c.String())
		require.NoError(t, err)
	}
	var answer map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get(apitest.OpsUsage+"?days=2").Bearer(apitest.OpsToken)).Body, &answer))
	delete(answer, "what_if") // has a test of its own
	rest, err := json.Marshal(answer)
	require.NoError(t, err)
	require.JSONEq(t, `{
		"days": [
			{"date": "2026-11-17", "commands": 30, "round_trips": 17, "by_function": {
				"submit": {"calls": 11, "commands": 22, "round_trips": 12, "bytes_sent": 900, "bytes_received": 800, "failed": 1, "throttled": 2, "replayed": 3, "accepted": 9, "queries": 4, "rows": 40},
				"me": {"calls": 5, "commands": 8, "round_trips": 5, "bytes_sent": 0, "bytes_received": 0, "failed": 0, "throttled": 0, "replayed": 0, "accepted": 0, "queries": 0, "rows": 0}}},
			{"date": "2026-11-18", "commands": 0, "round_trips": 0, "by_function": {}}],
		"projected_month": 900,
		"plan": {"commands": 500000, "share": 0.0018},
		"bill": {"prices": "2026-11-22", "dollars": 0, "dollars_without_free_tiers": 0.0018, "plans": {"Upstash": "free"}, "not_counted": ["redis_stored_gb", "AWS", "Neon"], "lines": [
			{"vendor": "Upstash", "item": "redis_commands", "quantity": 900, "unit": "commands", "dollars": 0, "dollars_without_free_tiers": 0.0018},
			{"vendor": "Upstash", "item": "redis_gb", "quantity": 0.0001, "unit": "GB", "dollars": 0, "dollars_without_free_tiers": 0}]}
	}`, string(rest))
	var all struct{ Days []struct{ Date string } }
	require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get(apitest.OpsUsage).Bearer(apitest.OpsToken)).Body, &all))
	require.Len(t, all.Days, 30)
	require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get(apitest.OpsUsage+"?days=1").Bearer(apitest.OpsToken)).Body, &all))
	require.Len(t, all.Days, 1)
	require.Equal(t, apitest.Today, all.Days[0].Date)
	for _, days := range []string{"0", "91", "-1", "x"} {
		s.Want(http.StatusBadRequest, apitest.Get(apitest.OpsUsage+"?days="+days).Bearer(apitest.OpsToken)).Problem(t, "invalid-request")
	}
}
