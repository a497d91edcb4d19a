package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// everyRoute is a request for each route of the document, from each kind of caller.
func everyRoute(s *apitest.Stack, n int) (calls []apitest.Call) {
	for _, pattern := range slices.Sorted(maps.Keys(s.Contract.Operations())) {
		method, path, _ := strings.Cut(pattern, " ")
		body := ""
		switch pattern {
		case "POST /v1/scores":
			body = fmt.Sprintf(`{"mode":"longest","score":%d}`, 1+n%90_000)
		case "POST /v1/leaderboards/{mode}/lookup":
			body = goodLookup
		case "POST /v1/friends/requests":
			body = fmt.Sprintf(`{"player":"user_%d"}`, n)
		case "PATCH /v1/me":
			body = `{"name":"Ana"}`
		case "POST /v1/duels/{id}/result":
			body = apitest.Won
		case "DELETE /v1/me": // afterwards there would be less to read
			continue
		}
		path = strings.NewReplacer("{mode}", "daily", "{player}", "user_b", "{id}", fmt.Sprint("m", n), "{code}", strings.Repeat("A", 10)).Replace(path)
		if strings.HasPrefix(pattern, "GET /v1/leaderboards/{mode}") && !strings.HasSuffix(path, "/friends") {
			path += fmt.Sprint("?period=", []string{"day", "week", "month", "alltime"}[n%4])
		}
		c := apitest.Call{Method: method, Target: path, Body: body, Header: map[string]string{}}
		if body != "" {
			c.Header["Content-Type"] = "application/json"
		}
		calls = append(calls, c.With("Idempotency-Key", fmt.Sprint("k", n)))
	}
	return calls
}

// One player who sends every kind of request at full speed for a day, and is erased in between
// as often as possible, costs each process no more than the limit, including the commands of
// the limits themselves. Besides, each process reads the bans, here once a round.
func TestWhatOnePlayerCostsInADayIsBounded(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_b", "daily", "500")
	s.Clock.Stop()
	all := s.Processes(2)
	before, sent := s.Billed(), 0
	send := func(handler http.Handler, c apitest.Call) {
		handler.ServeHTTP(httptest.NewRecorder(), s.Request(c.Bearer(s.Token("user_a")).CameFrom("192.0.2.9:1")))
		sent++
	}
	const rounds = 48
	for n := range rounds {
		for i, handler := range all {
			for _, c := range everyRoute(s, 100*n+i) {
				send(handler, c)
			}
			send(handler, apitest.Remove(apitest.Myself, ""))
		}
		s.Clock.Set(s.Clock.Now().Add(29 * time.Minute))
	}
	spent := s.Billed() - before
	t.Logf("%d requests cost %d commands", sent, spent)
	require.Greater(t, spent, int64(2*1500), "the budget was used up")
	require.LessOrEqual(t, spent, int64(2*(2000+rounds)))
}

// An erasure counts among its player's costs: if the day's limit has no room for it, it is
// refused before anything is removed.
func TestAnErasureThatTheDayHasNoRoomForIsPutOff(t *testing.T) {
	s := apitest.NewStack(t)
	s.Clock.Stop()
	s.Game = strings.Replace(apitest.TestGame, "commands: {player: off}", "commands: {player: 530/1d}", 1)
	s.Handler = s.Process()
	s.Play("user_a", "daily", "500")
	for range 4 {
		s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.Daily+"?offset=1")))
	}
	s.Want(http.StatusOK, s.As("user_a", apitest.Remove(apitest.Myself, ""))) // 510 fit
	s.Play("user_a", "daily", "500")
	answer := s.Want(http.StatusTooManyRequests, s.As("user_a", apitest.Remove(apitest.Myself, "")))
	require.NotEmpty(t, answer.Header.Get("Retry-After"))
	s.Want(http.StatusOK, s.As("user_b", apitest.Get(apitest.Daily+"/players/user_a")))
	s.Clock.Set(s.Clock.Now().Add(24 * time.Hour))
	s.Want(http.StatusOK, s.As("user_a", apitest.Remove(apitest.Myself, "")))
	s.Want(http.StatusNotFound, s.As("user_b", apitest.Get(apitest.Daily+"/players/user_a")))
}

// One address without a credential that sends every kind of request costs a bounded number of
// commands a minute in each process.
func TestWhatOneAddressCostsInAMinuteIsBounded(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_b", "daily", "500")
	s.Clock.Stop()
	all := s.Processes(3)
	device := s.Device().Token
	before := s.Billed()
	for n := range 60 {
		for _, handler := range all {
			for _, c := range everyRoute(s, n) {
				for _, from := range []apitest.Call{c, c.Bearer(device), c.Bearer("forged")} {
					handler.ServeHTTP(httptest.NewRecorder(), s.Request(from.CameFrom("192.0.2.9:1").With("X-Forwarded-For", fmt.Sprint("127.0.0.", n))))
				}
			}
		}
		s.Clock.Set(s.Clock.Now().Add(time.Second))
	}
	spent := s.Billed() - before
	t.Logf("%d commands in three processes", spent)
	require.Positive(t, spent)
	require.LessOrEqual(t, spent, int64(3*300))
}
