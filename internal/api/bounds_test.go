package api_test

import (
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
func everyRoute(s *stack, n int) (calls []call) {
	for _, pattern := range slices.Sorted(maps.Keys(s.contract.operations())) {
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
			body = won
		case "DELETE /v1/me": // afterwards there would be less to read
			continue
		}
		path = strings.NewReplacer("{mode}", "daily", "{player}", "user_b", "{id}", fmt.Sprint("m", n), "{code}", strings.Repeat("A", 10)).Replace(path)
		if strings.HasPrefix(pattern, "GET /v1/leaderboards/{mode}") && !strings.HasSuffix(path, "/friends") {
			path += fmt.Sprint("?period=", []string{"day", "week", "month", "alltime"}[n%4])
		}
		c := call{method: method, target: path, body: body, header: map[string]string{}}
		if body != "" {
			c.header["Content-Type"] = "application/json"
		}
		calls = append(calls, c.with("Idempotency-Key", fmt.Sprint("k", n)))
	}
	return calls
}

// processes are several processes of the product on one Redis, with the limits that a game
// file has by default.
func (s *stack) processes(n int) (all []http.Handler) {
	s.game = strings.Replace(testGame, "limits: {submit: {player: off}, boards: {player: off}, commands: {player: off}}\n", "", 1)
	for range n {
		all = append(all, s.process())
	}
	return all
}

// One player who sends every kind of request at full speed for a day, and is erased in between
// as often as possible, costs each process no more than the limit, including the commands of
// the limits themselves. Besides, each process reads the bans, here once a round.
func TestWhatOnePlayerCostsInADayIsBounded(t *testing.T) {
	s := newStack(t)
	s.play("user_b", "daily", "500")
	s.clock.Stop()
	all := s.processes(2)
	before, sent := s.billed(), 0
	send := func(handler http.Handler, c call) {
		handler.ServeHTTP(httptest.NewRecorder(), s.request(c.bearer(s.token("user_a")).cameFrom("192.0.2.9:1")))
		sent++
	}
	const rounds = 48
	for n := range rounds {
		for i, handler := range all {
			for _, c := range everyRoute(s, 100*n+i) {
				send(handler, c)
			}
			send(handler, remove(myself, ""))
		}
		s.clock.Set(s.clock.Now().Add(29 * time.Minute))
	}
	spent := s.billed() - before
	t.Logf("%d requests cost %d commands", sent, spent)
	require.Greater(t, spent, int64(2*1500), "the budget was used up")
	require.LessOrEqual(t, spent, int64(2*(2000+rounds)))
}

// An erasure counts among its player's costs: if the day's limit has no room for it, it is
// refused before anything is removed.
func TestAnErasureThatTheDayHasNoRoomForIsPutOff(t *testing.T) {
	s := newStack(t)
	s.clock.Stop()
	s.game = strings.Replace(testGame, "commands: {player: off}", "commands: {player: 530/1d}", 1)
	s.handler = s.process()
	s.play("user_a", "daily", "500")
	for range 4 {
		s.want(http.StatusOK, s.as("user_a", get(daily+"?offset=1")))
	}
	s.want(http.StatusOK, s.as("user_a", remove(myself, ""))) // 510 fit
	s.play("user_a", "daily", "500")
	answer := s.want(http.StatusTooManyRequests, s.as("user_a", remove(myself, "")))
	require.NotEmpty(t, answer.header.Get("Retry-After"))
	s.want(http.StatusOK, s.as("user_b", get(daily+"/players/user_a")))
	s.clock.Set(s.clock.Now().Add(24 * time.Hour))
	s.want(http.StatusOK, s.as("user_a", remove(myself, "")))
	s.want(http.StatusNotFound, s.as("user_b", get(daily+"/players/user_a")))
}

// One address without a credential that sends every kind of request costs a bounded number of
// commands a minute in each process.
func TestWhatOneAddressCostsInAMinuteIsBounded(t *testing.T) {
	s := newStack(t)
	s.play("user_b", "daily", "500")
	s.clock.Stop()
	all := s.processes(3)
	device := s.device().Token
	before := s.billed()
	for n := range 60 {
		for _, handler := range all {
			for _, c := range everyRoute(s, n) {
				for _, from := range []call{c, c.bearer(device), c.bearer("forged")} {
					handler.ServeHTTP(httptest.NewRecorder(), s.request(from.cameFrom("192.0.2.9:1").with("X-Forwarded-For", fmt.Sprint("127.0.0.", n))))
				}
			}
		}
		s.clock.Set(s.clock.Now().Add(time.Second))
	}
	spent := s.billed() - before
	t.Logf("%d commands in three processes", spent)
	require.Positive(t, spent)
	require.LessOrEqual(t, spent, int64(3*300))
}
