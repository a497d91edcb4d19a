package presence_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// presenceScenarios make every status of presence.
func presenceScenarios() map[string]apitest.Scenario {
	there := apitest.InGame(apitest.Counting, apitest.Plain(apitest.Get(apitest.PresencePath)))
	return map[string]apitest.Scenario{
		"GET /v1/presence 200": {Call: there},
		"GET /v1/presence 304": {Call: func(s *apitest.Stack) apitest.Call {
			c := there(s)
			return c.With("If-None-Match", s.Want(http.StatusOK, c).Header.Get("ETag"))
		}},
		"GET /v1/presence 400": {Call: apitest.Plain(apitest.Get(apitest.PresencePath + "?x=1")), Kind: "invalid-request"},
		"GET /v1/presence 404": {Call: func(s *apitest.Stack) apitest.Call {
			s.Game = strings.Replace(s.Game, apitest.Counting, "", 1)
			s.Handler = s.Process()
			return apitest.Get(apitest.PresencePath)
		}, Kind: "not-found"},
		"GET /v1/presence 429": {Call: apitest.From("192.0.2.24:1", apitest.Get(apitest.PresencePath)), Kind: "rate-limited"},
		"GET /v1/presence 500": {Call: there, Fault: apitest.RefusedCommand, Kind: "internal"},
		"GET /v1/presence 503": {Call: there, Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},
	}
}

func TestEveryStatusOfPresenceHappens(t *testing.T) { apitest.EachStatus(t, presenceScenarios()) }

func TestPresenceCountsWhoAsksWithACredential(t *testing.T) {
	s := apitest.NewStack(t)
	s.Adds(apitest.Counting)
	s.Clock.Stop()
	there := func() (n struct {
		Players, Window_s int64
		As_of             time.Time
	}) {
		require.NoError(t, json.Unmarshal(s.Want(http.StatusOK, apitest.Get(apitest.PresencePath)).Body, &n))
		return n
	}
	s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.Myself)))
	s.Want(http.StatusOK, apitest.Get(apitest.Daily)) // nobody
	s.Want(http.StatusOK, s.As("user_b", apitest.Get(apitest.Daily)))
	s.Want(http.StatusCreated, apitest.Post(apitest.Scores, apitest.GoodScore).Bearer(s.Device().Token))
	s.Want(http.StatusUnauthorized, apitest.Get(apitest.Myself).Bearer("not a token"))
	s.Clock.Pass(31 * time.Second)
	require.EqualValues(t, 1, there().Players, "those who were seen since wait for their round")
	s.Clock.Pass(30 * time.Second) // which tidied up
	n := there()
	require.EqualValues(t, []int64{3, 120}, []int64{n.Players, n.Window_s})
	require.Equal(t, s.Clock.Now(), n.As_of)
	commands, _ := s.Spent(func() {
		for range 20 {
			s.Want(http.StatusOK, s.As("user_c", apitest.Get(apitest.PresencePath)))
		}
	})
	require.Zero(t, commands, "it is answered from memory")

	other := s.Process()
	s.Handler = other
	require.EqualValues(t, 3, there().Players, "as in any process")
	s.Clock.Pass(10 * time.Minute)
	require.Zero(t, there().Players)
}

func TestPresenceIsNoOnesCost(t *testing.T) {
	s := apitest.NewStack(t)
	s.Adds(apitest.Counting)
	s.Clock.Stop()
	s.Want(http.StatusOK, s.As("user_a", apitest.Get("/v1/game")))
	s.Clock.Pass(time.Minute)
	s.Want(http.StatusOK, s.As("user_a", apitest.Get("/v1/game")))
	s.Clock.Pass(time.Minute)
	commands, trips := s.Spent(func() { s.Want(http.StatusOK, s.As("user_a", apitest.Get("/v1/game"))) })
	require.Equal(t, []int64{1, 1}, []int64{commands, trips}, "one write beside it, half a minute and process")
	commands, _ = s.Spent(func() {
		for i := range 50 {
			s.Want(http.StatusOK, s.As(fmt.Sprint("user_", i), apitest.Get("/v1/game")))
		}
	})
	require.Zero(t, commands)
}
