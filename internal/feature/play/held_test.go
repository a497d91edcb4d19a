package play_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// typedStack has it.
func typedStack(t *testing.T) *apitest.Stack {
	s := apitest.NewStack(t)
	s.Game += apitest.TypedMode
	s.Handler = s.Process()
	return s
}

// Ways to type: as people do, and by a clock.
var (
	human = func(i int) (gap, hold int) { return 80 + i*37%70, 70 + i*53%60 }
)

// playScenarios make every status of plays, and of what is held.
func playScenarios() map[string]apitest.Scenario {
	good := apitest.Post(apitest.PlaysAt, `{"mode":"typed"}`)
	one := apitest.OpsHeld + "/0123456789abcdef"
	all := map[string]apitest.Scenario{
		"POST /v1/plays 201":           {Call: apitest.As("user_a", good)},
		"POST /v1/plays 400":           {Call: apitest.As("user_a", apitest.Post(apitest.PlaysAt, `{}`)), Kind: "invalid-request"},
		"POST /v1/plays 401":           {Call: apitest.Plain(good), Kind: "unauthenticated"},
		"POST /v1/plays 403":           {Call: apitest.As("user_a", apitest.Post(apitest.PlaysAt, `{"mode":"typed","player":"user_b"}`)), Kind: "forbidden"},
		"POST /v1/plays 404":           {Call: apitest.As("user_a", apitest.Post(apitest.PlaysAt, `{"mode":"nothing"}`)), Kind: "unknown-mode"},
		"POST /v1/plays 413":           {Call: apitest.As("user_a", apitest.Post(apitest.PlaysAt, strings.Repeat(" ", 64<<10)+"{}")), Kind: "too-large"},
		"POST /v1/plays 415":           {Call: apitest.As("user_a", good.With("Content-Type", "text/plain")), Kind: "unsupported-media-type"},
		"POST /v1/plays 422":           {Call: apitest.As("user_a", apitest.Post(apitest.PlaysAt, `{"mode":"daily"}`)), Kind: "play-refused"},
		"POST /v1/plays 429":           {Call: apitest.From("192.0.2.31:1", good), Kind: "rate-limited"},
		"GET /v1/ops/held 200":         {Call: apitest.AfterOne(apitest.Operator(apitest.Get(apitest.OpsHeld)))},
		"PUT /v1/ops/held/{id} 200":    {Call: apitest.Passing},
		"DELETE /v1/ops/held/{id} 204": {Call: apitest.Dropping},
		"PUT /v1/ops/held/{id} 422": {Call: func(s *apitest.Stack) apitest.Call {
			s.HeldOf("user_h", apitest.LongAgo, "cc")
			return apitest.Put(apitest.OpsHeld+"/cc", "").Bearer(apitest.OpsToken)
		}, Kind: "date-closed"},
	}
	for pattern, calls := range map[string]struct{ good, bad apitest.Call }{
		"GET /v1/ops/held":         {apitest.Get(apitest.OpsHeld), apitest.Get(apitest.OpsHeld + "?limit=1001")},
		"PUT /v1/ops/held/{id}":    {apitest.Put(one, ""), apitest.Put(apitest.OpsHeld+"/x", "")},
		"DELETE /v1/ops/held/{id}": {apitest.Remove(one, ""), apitest.Remove(apitest.OpsHeld+"/x", "")},
	} {
		all[pattern+" 400"] = apitest.Scenario{Call: apitest.Operator(calls.bad), Kind: "invalid-request"}
		all[pattern+" 401"] = apitest.Scenario{Call: apitest.Plain(calls.good), Kind: "unauthenticated"}
		all[pattern+" 403"] = apitest.Scenario{Call: apitest.As("user_z", calls.good), Kind: "forbidden"}
		all[pattern+" 429"] = apitest.Scenario{Call: apitest.After(5, apitest.Plain(calls.good.Bearer("guessed").CameFrom("192.0.2.32:1"))), Kind: "rate-limited"}
		all[pattern+" 500"] = apitest.Scenario{Call: apitest.Operator(calls.good), Fault: apitest.RefusedCommand, Kind: "internal"}
		all[pattern+" 503"] = apitest.Scenario{Call: apitest.Operator(calls.good), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"}
		if pattern != "GET /v1/ops/held" {
			all[pattern+" 404"] = apitest.Scenario{Call: apitest.Operator(calls.good), Kind: "not-found"}
		}
	}
	return all
}

func TestWhatIsHeldIsOnNoBoardUntilItPasses(t *testing.T) {
	s := typedStack(t)
	played := s.Clock.Now()
	c := s.As("user_a", s.Typing("user_a", apitest.Steady))
	first := s.Want(http.StatusAccepted, c)
	require.JSONEq(t, `{"mode":"typed","date":"`+apitest.Today+`","player":"user_a","status":"held","submitted":96}`, string(first.Body))
	s.Handler = s.Process()
	require.Equal(t, first.Body, s.Want(http.StatusAccepted, c).Body, "the same again")
	board := func() string {
		s.Handler = s.Process()
		return string(s.Want(http.StatusOK, apitest.Get("/v1/leaderboards/typed")).Body)
	}
	require.Contains(t, board(), `"total":0`)

	var list apitest.HeldBody
	s.Want(http.StatusOK, apitest.Get(apitest.OpsHeld).Bearer(apitest.OpsToken)).Into(t, &list)
	require.Len(t, list.Held, 1)
	require.Equal(t, "the gaps vary by less than 15 ms", list.Held[0].Why)
	require.True(t, list.Held[0].Open)

	// Somebody comes to the same score later; days pass; the operator lets it pass.
	s.Clock.Pass(time.Minute)
	s.Want(http.StatusCreated, s.As("user_b", s.Typing("user_b", human)))
	s.Clock.Set(played.Add(36 * time.Hour))
	one := apitest.Put(apitest.OpsHeld+"/"+list.Held[0].ID, "").Bearer(apitest.OpsToken)
	passed := s.Want(http.StatusOK, one)
	require.Contains(t, string(passed.Body), `"status":"accepted","score":96,"submitted":96,"rank":1,"total":2`, "as of when it was played")
	s.Want(http.StatusNotFound, one)

	dropped := s.Waiting("user_c")
	s.Want(http.StatusNoContent, apitest.Remove(apitest.OpsHeld+"/"+dropped, "").Bearer(apitest.OpsToken))
	s.Want(http.StatusNotFound, apitest.Put(apitest.OpsHeld+"/"+dropped, "").Bearer(apitest.OpsToken))
	require.NotContains(t, board(), "user_c")
}

// A play is let pass before each request of dropping it, and dropped before each request of
// letting it pass: one of the two is done, and the other says that it was not.
func TestOfTwoDecisionsOneIsMade(t *testing.T) {
	s := typedStack(t)
	path := func(id string) string { return apitest.OpsHeld + "/" + id }
	for _, passes := range []bool{true, false} {
		for n, more := 1, true; more; n++ {
			player := apitest.Another("user_d")
			id := s.Waiting(player)
			pass, drop := apitest.Put(path(id), "").Bearer(apitest.OpsToken), apitest.Remove(path(id), "").Bearer(apitest.OpsToken)
			first, second := drop, pass
			if passes {
				first, second = pass, drop
			}
			var between apitest.Answer
			end := testkit.Before(s.Redis.Server, n, func() { between = s.Send(second) })
			outer := s.Send(first)
			if more = end(); !more {
				continue
			}
			done := map[int]int{outer.Status: 1}
			done[between.Status]++
			passed := done[http.StatusOK] > 0
			require.Equal(t, 1, done[http.StatusOK]+done[http.StatusNoContent], "before request %d: %v", n, done)
			require.Equal(t, 1, done[http.StatusNotFound], "before request %d: %v", n, done)
			s.Handler = s.Process()
			board := string(s.Want(http.StatusOK, apitest.Get("/v1/leaderboards/typed?limit=100")).Body)
			require.Equal(t, passed, strings.Contains(board, `"`+player+`"`), "before request %d: %v", n, done)
		}
	}
}

// A play whose passing was refused may still be dropped; one whose passing was cut off may not.
func TestARefusedPassIsNoDecision(t *testing.T) {
	s := typedStack(t)
	id := s.Waiting("user_z")
	s.Removal(apitest.Put(apitest.OpsBan, `{"reason":"plays with a script"}`))
	s.Want(http.StatusForbidden, apitest.Put(apitest.OpsHeld+"/"+id, "").Bearer(apitest.OpsToken)).Problem(t, "banned")
	s.Want(http.StatusNoContent, apitest.Remove(apitest.OpsHeld+"/"+id, "").Bearer(apitest.OpsToken))
}

func TestABannedPlayersTestsAreNotHeld(t *testing.T) {
	s := typedStack(t)
	id := s.Waiting("user_z")
	s.Removal(apitest.Put(apitest.OpsBan, `{"reason":"plays with a script"}`))
	s.Want(http.StatusForbidden, s.As("user_z", s.Typing("user_z", apitest.Steady))).Problem(t, "banned")
	s.Want(http.StatusForbidden, apitest.Put(apitest.OpsHeld+"/"+id, "").Bearer(apitest.OpsToken)).Problem(t, "banned")
}

func TestWhatIsHeldIsListedByPages(t *testing.T) {
	s := typedStack(t)
	for n := range 3 {
		s.Waiting(fmt.Sprint("user_", n))
	}
	var first, rest apitest.HeldBody
	s.Want(http.StatusOK, apitest.Get(apitest.OpsHeld+"?limit=2").Bearer(apitest.OpsToken)).Into(t, &first)
	require.Len(t, first.Held, 2)
	s.Want(http.StatusOK, apitest.Get(apitest.OpsHeld+"?limit=2&cursor="+*first.Next).Bearer(apitest.OpsToken)).Into(t, &rest)
	require.Len(t, rest.Held, 1)
	require.Nil(t, rest.Next)
	require.Equal(t, "user_2", rest.Held[0].Player)
}

func TestWhatIsHeldOfAPlayerIsExportedAndErased(t *testing.T) {
	s := typedStack(t)
	s.Waiting("user_a")
	s.Waiting("user_b")
	own := s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.MyExport)))
	var answer struct {
		Known bool
		Held  []struct{ Mode, Date, At string }
	}
	require.NoError(t, json.Unmarshal(own.Body, &answer))
	require.True(t, answer.Known)
	require.Len(t, answer.Held, 1)
	require.Equal(t, "typed", answer.Held[0].Mode)
}

// The score of a sum is on its board, but the operator's request fails before the play has left
// the list: letting it pass again finishes that, also on a later day, and adds nothing.
func TestASumThatIsLetPassAgainDaysLaterCountsOnce(t *testing.T) {
	s := apitest.NewStack(t)
	s.Game += strings.Replace(apitest.TypedMode, "policy: best", "policy: sum, day_max: 5000", 1)
	s.Handler = s.Process()
	one := apitest.Put(apitest.OpsHeld+"/"+s.Waiting("user_a"), "").Bearer(apitest.OpsToken)
	s.Redis.Server.Inject(func(r upstashtest.Request) (f upstashtest.Fault) {
		if r.Commands[0][0] == "HDEL" {
			f.Status = http.StatusServiceUnavailable
		}
		return f
	})
	s.Want(http.StatusServiceUnavailable, one)
	s.Redis.Server.Inject(nil)
	s.Passes(36 * time.Hour)
	require.Contains(t, string(s.Want(http.StatusOK, one).Body), `"status":"replayed","score":96,`)
	s.Want(http.StatusNotFound, one)
}

func TestEveryStatusOfPlaysHappens(t *testing.T) { apitest.EachStatus(t, playScenarios()) }
