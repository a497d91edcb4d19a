package live_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// If no process streams, callers are sent to one that does, or told what to read instead.
// Faults of the request are reported all the same.
func TestWhereNothingIsStreamedCallersAreSentElsewhere(t *testing.T) {
	s := apitest.NewStack(t)
	s.Lambda = true
	s.Handler = s.Process()
	a := s.Do(apitest.Get(apitest.LiveDaily))
	require.Equal(t, http.StatusNotImplemented, a.Status)
	require.Contains(t, string(a.Body), `"code":"no-live-boards"`)
	require.Equal(t, http.StatusNotFound, s.Do(apitest.Get("/v1/live/nothing")).Status)
	duel := s.As("user_a", apitest.WatchDuel("/abc"))
	require.Equal(t, http.StatusNotImplemented, s.Do(duel).Status)

	s.Elsewhere = "https://live.example.com"
	s.Handler = s.Process()
	a = s.Do(apitest.Get(apitest.LiveDaily + "?period=week&limit=10"))
	require.Equal(t, http.StatusTemporaryRedirect, a.Status)
	require.Equal(t, "https://live.example.com/v1/live/daily?period=week&limit=10", a.Header.Get("Location"))
	a = s.Do(duel)
	require.Equal(t, http.StatusTemporaryRedirect, a.Status)
	require.Equal(t, "https://live.example.com/v1/live/duels/abc", a.Header.Get("Location"))
	require.Equal(t, http.StatusUnauthorized, s.Do(apitest.WatchDuel("/abc")).Status)
	require.Equal(t, http.StatusBadRequest, s.Do(apitest.Get(apitest.LiveDaily+"?limit=0")).Status)
}

// liveScenarios make every status of streams of boards.
func liveScenarios() map[string]apitest.Scenario {
	return map[string]apitest.Scenario{
		"GET /v1/live/{mode} 200": {Call: apitest.Plain(apitest.Get(apitest.LiveDaily))},
		"GET /v1/live/{mode} 204": {Call: apitest.Plain(apitest.Get(apitest.LiveDaily+"?date="+apitest.Yesterday).With("Last-Event-ID", "closed"))},
		"GET /v1/live/{mode} 400": {Call: apitest.Plain(apitest.Get(apitest.LiveDaily + "?limit=101")), Kind: "invalid-request"},
		"GET /v1/live/{mode} 404": {Call: apitest.Plain(apitest.Get("/v1/live/nothing")), Kind: "unknown-mode"},
		"GET /v1/live/{mode} 429": {Call: apitest.From("192.0.2.6:1", apitest.Get(apitest.LiveDaily)), Kind: "rate-limited"},
		"GET /v1/live/{mode} 500": {Call: apitest.Plain(apitest.Get(apitest.LiveDaily + "?period=month")), Fault: apitest.RefusedCommand, Kind: "internal"},
		"GET /v1/live/{mode} 503": {Call: apitest.Plain(apitest.Get(apitest.LiveDaily + "?date=" + apitest.Yesterday)), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},
	}
}

func TestEveryStatusOfStreamsOfBoardsHappens(t *testing.T) { apitest.EachStatus(t, liveScenarios()) }
