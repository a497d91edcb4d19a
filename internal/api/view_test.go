package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const wholeView = `"view":["page","around","friends","week","me"]`

// viewBody is a view as its parts came, for comparison with their routes.
type viewBody struct {
	Page, Around, Friends, Week, Me json.RawMessage
	Problems                        map[string]problemBody
}

// viewed makes a submission that must succeed, and reads its view apart from the rest.
func (s *stack) viewed(c call) (a answer, rest map[string]any, view viewBody) {
	s.Helper()
	a = s.do(c)
	require.Contains(s, []int{http.StatusOK, http.StatusCreated}, a.status, "%s", a.body)
	var shown struct{ View viewBody }
	require.NoError(s, json.Unmarshal(a.body, &shown))
	require.NoError(s, json.Unmarshal(a.body, &rest))
	delete(rest, "view")
	return a, rest, shown.View
}

func asksFor(mode, score, more string) call {
	return post(scores, fmt.Sprintf(`{"mode":%q,"score":%s,%s}`, mode, score, more))
}

// fieldsOf reads a JSON object, and leaves some fields out: those of the moment, or a route's own.
func fieldsOf(tb testing.TB, body []byte, names ...string) map[string]any {
	var fields map[string]any
	require.NoError(tb, json.Unmarshal(body, &fields), "%s", body)
	for _, name := range names {
		delete(fields, name)
	}
	return fields
}

func TestAViewHasWhatTheRoutesAnswer(t *testing.T) {
	for _, mode := range []string{"daily", "longest", "fastest", "newest", "tied", "coins"} {
		t.Run(mode, func(t *testing.T) {
			s := newStack(t)
			for i := range 20 {
				s.want(http.StatusCreated, asksFor(mode, itoa(i%7+1), `"player":"user_`+itoa(i)+`"`).signed().with("Idempotency-Key", "k"+itoa(i)))
			}
			_, rest, view := s.viewed(s.as("user_a", asksFor(mode, "5", wholeView)).with("Idempotency-Key", "own"))
			require.Empty(t, view.Problems)
			read := func(path string) []byte { return s.want(http.StatusOK, s.as("user_a", get(path))).body }
			board := "/v1/leaderboards/" + mode
			moment := []string{"updated_at"}
			require.Equal(t, fieldsOf(t, read(board), moment...), fieldsOf(t, view.Page, moment...))
			require.Equal(t, fieldsOf(t, read(board+"/around/me"), moment...), fieldsOf(t, view.Around, moment...))
			require.Equal(t, fieldsOf(t, read(board+"/friends"), moment...), fieldsOf(t, view.Friends, moment...))
			require.Equal(t, fieldsOf(t, read(board+"/players/me?period=week")), fieldsOf(t, view.Week))
			require.Equal(t, fieldsOf(t, read(myself), "profile", "badges"), fieldsOf(t, view.Me))
			require.Equal(t, rest["rank"], fieldsOf(t, view.Around)["rank"])
			require.EqualValues(t, 5, fieldsOf(t, view.Week)["score"], "this play included")
		})
	}
}

// The parts that are asked for are there, and no others, in whatever order.
func TestAViewHasTheParts(t *testing.T) {
	s := newStack(t)
	for asked, want := range map[string]string{
		`[]`: "", `null`: "", `["me"]`: "me", `["week","around"]`: "around week", `["me","friends","page"]`: "page friends me",
	} {
		a, _, _ := s.viewed(s.as("user_a", asksFor("daily", "5", `"view":`+asked)))
		var shown struct{ View map[string]json.RawMessage }
		require.NoError(t, json.Unmarshal(a.body, &shown))
		var names []string
		for _, name := range []string{"page", "around", "friends", "week", "me", "problems"} {
			if _, there := shown.View[name]; there {
				names = append(names, name)
			}
		}
		require.Equal(t, want, strings.Join(names, " "), asked)
		require.Equal(t, want != "", strings.Contains(string(a.body), `"view"`))
	}
}

func TestBadViewsAreRefused(t *testing.T) {
	s := newStack(t)
	s.want(http.StatusForbidden, s.as("user_a", post(scores, `{"mode":"judged","score":1}`)))
	for view, pointer := range map[string]string{
		`"me"`: "/view", `{}`: "/view", `[1]`: "/view", `["me","badges"]`: "/view/1", `[""]`: "/view/0", `["me","me"]`: "/view/1", `["Around"]`: "/view/0",
		`[null]`: "/view/0", `["page","around","friends","week","me","me"]`: "/view",
	} {
		commands, _ := s.spent(func() {
			p := s.want(http.StatusBadRequest, s.as("user_a", asksFor("daily", "5", `"view":`+view))).problem(t, "invalid-request")
			require.Equal(t, pointer, p.Errors[0].Pointer, view)
		})
		require.Zero(t, commands, view)
	}
	// What a batch has is for nobody to look at.
	var result batchBody
	s.want(http.StatusOK, post(batch, `{"scores":[{"mode":"daily","player":"a","score":1,"view":["me"]}]}`).signed()).into(t, &result)
	require.Equal(t, "/view", result.Results[0].Problem.Errors[0].Pointer)
	// A score that is refused has no view, and costs nothing for it.
	commands, _ := s.spent(func() {
		a := s.want(http.StatusUnprocessableEntity, s.as("user_a", asksFor("daily", "1001", wholeView)))
		require.NotContains(t, string(a.body), `"view"`)
	})
	require.Zero(t, commands)
}

// One request costs no more than the requests that it replaces, and less with the part
// around: the write has read a small board, and gives the rank on a larger one.
func TestAViewCostsNoMoreThanItsRoutes(t *testing.T) {
	cost := func(players int, period string, parts ...string) (together, apart int64) {
		prepared := func() *stack {
			s := newStack(t)
			s.clock.Stop()
			s.crowd(players)
			s.page(daily + "?limit=1&offset=1") // who is banned, and such
			return s
		}
		play := asksFor("daily", "500", `"date":"`+today+`"`)
		s := prepared()
		together, _ = s.spent(func() {
			_, _, view := s.viewed(s.as("user_a", asksFor("daily", "500", `"view":["`+strings.Join(parts, `","`)+`"]`)))
			require.Empty(t, view.Problems)
		})
		s = prepared()
		apart, _ = s.spent(func() { s.want(http.StatusCreated, s.as("user_a", play)) })
		routes := map[string]string{"page": daily, "around": daily + "/around/me", "friends": friendsBoard, "week": daily + "/players/me?period=week", "me": myself}
		s.handler = s.process() // functions know nothing of each other
		for _, part := range parts {
			commands, _ := s.spent(func() { s.want(http.StatusOK, s.as("user_a", get(routes[part]))) })
			apart += commands
		}
		return together, apart
	}
	for _, players := range []int{10, 3000} {
		for _, parts := range [][]string{{"page"}, {"around"}, {"friends"}, {"week"}, {"me"}, {"page", "around", "friends", "week", "me"}} {
			together, apart := cost(players, "day", parts...)
			t.Logf("%d players, %v: %d commands in one request, %d apart", players, parts, together, apart)
			require.LessOrEqual(t, together, apart, "%d players, %v", players, parts)
			if parts[0] == "around" || players == 10 && len(parts) > 1 {
				require.Less(t, together, apart, "%d players, %v", players, parts)
			}
		}
	}
}

// A retry gets the first answer, and sees boards as they are by then.
func TestARetrySeesTheBoardsOfItsMoment(t *testing.T) {
	s := newStack(t)
	c := s.as("user_a", asksFor("daily", "500", wholeView)).with("Idempotency-Key", "once")
	first, rest, view := s.viewed(c)
	require.EqualValues(t, 1, fieldsOf(t, view.Around)["rank"])
	s.play("user_b", "daily", "800")
	again, restAgain, viewAgain := s.viewed(c)
	require.Equal(t, "true", again.header.Get("Idempotency-Replayed"))
	require.Equal(t, first.status, again.status)
	require.Equal(t, rest, restAgain)
	require.EqualValues(t, 2, fieldsOf(t, viewAgain.Around)["rank"])
	s.want(http.StatusUnprocessableEntity, s.as("user_a", asksFor("daily", "500", `"view":["me"]`)).with("Idempotency-Key", "once")).problem(t, "idempotency-key-reused")

	coins := s.as("user_a", asksFor("coins", "5", wholeView)).with("Idempotency-Key", "sum")
	s.viewed(coins)
	_, rest, view = s.viewed(coins)
	require.Equal(t, "replayed", rest["status"])
	require.EqualValues(t, 5, fieldsOf(t, view.Around)["score"])
	_, rest, view = s.viewed(s.as("user_a", asksFor("daily", "900", wholeView)))
	require.Equal(t, "kept", rest["status"])
	require.EqualValues(t, 500, fieldsOf(t, view.Week)["score"])
}

// The score is written before anything is read for its view: whatever fails then, the score
// is answered, and the same request asks again for the missing part.
func TestAViewSpoilsNoScore(t *testing.T) {
	for name, fault := range map[string]upstashtest.Fault{
		"throttled": upstashtest.Throttled(0),
		"cut":       {CutBefore: true},
		"an error":  {Status: http.StatusBadRequest, Body: `{"error":"ERR nothing that anybody expects"}`},
	} {
		for _, key := range []string{"", "a-key"} {
			for _, after := range []int{0, 1, 3, 5} { // requests that still go well
				t.Run(fmt.Sprint(name, " ", key, " ", after), func(t *testing.T) {
					s := newStack(t)
					s.play("user_b", "daily", "300")
					s.play("user_c", "daily", "200")
					s.page(daily)
					writes := 1
					if key != "" {
						writes = 3 // the key is claimed, and its answer kept
					}
					left := after + writes
					s.redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
						if left--; left >= 0 {
							return upstashtest.Fault{}
						}
						return fault
					})
					c := s.as("user_d", asksFor("daily", "500", wholeView))
					if key != "" {
						c = c.with("Idempotency-Key", key)
					}
					a, rest, view := s.viewed(c)
					if a.status == http.StatusCreated {
						require.Equal(t, "accepted", rest["status"])
						require.EqualValues(t, 1, rest["rank"])
					}
					for part, found := range map[string]json.RawMessage{"page": view.Page, "around": view.Around, "friends": view.Friends, "week": view.Week, "me": view.Me} {
						p, missing := view.Problems[part]
						require.Equal(t, missing, string(found) == "null", part)
						if missing {
							require.Contains(t, []string{"temporarily-unavailable", "internal"}, p.Code)
							require.Len(t, p.Instance, 32)
						}
					}
					s.mendRedis()
					_, again, view := s.viewed(c)
					require.Empty(t, view.Problems)
					require.EqualValues(t, 500, again["score"])
					require.EqualValues(t, 1, fieldsOf(t, view.Around)["rank"])
				})
			}
		}
	}
}

// A view is one look at boards. If a player has looked too often, the view says so instead.
func TestAViewCountsAmongReads(t *testing.T) {
	s := newStack(t)
	s.game = strings.Replace(testGame, "boards: {player: off}", "boards: {player: 3/1m}", 1)
	s.handler = s.process()
	s.clock.Stop()
	for i := range 5 {
		commands, _ := s.spent(func() {
			_, _, view := s.viewed(s.as("user_a", asksFor("longest", itoa(i+1), wholeView)))
			require.Len(t, view.Problems, map[bool]int{true: 0, false: 5}[i < 3], i)
			if i >= 3 {
				require.Equal(t, "rate-limited", view.Problems["week"].Code)
			}
		})
		if i >= 3 {
			require.LessOrEqual(t, commands, int64(3), "the score alone")
		}
	}
	s.want(http.StatusTooManyRequests, s.as("user_a", get(daily))).problem(t, "rate-limited")
	for range 5 { // game servers are not counted
		_, _, view := s.viewed(asksFor("longest", "1", `"player":"user_a",`+wholeView).signed())
		require.Empty(t, view.Problems)
	}
}

// What a view may cost is held against whoever pays, as its routes' would be.
func TestAViewIsPaidFor(t *testing.T) {
	s := newStack(t)
	s.game = strings.Replace(testGame, "commands: {player: off}", "commands: {player: 35/1d}", 1)
	s.handler = s.process()
	_, rest, view := s.viewed(s.as("user_a", asksFor("longest", "5", `"view":["around"]`)))
	require.Empty(t, view.Problems)
	require.Equal(t, "accepted", rest["status"])
	_, rest, view = s.viewed(s.as("user_a", asksFor("longest", "6", wholeView)))
	require.Equal(t, "improved", rest["status"], "the score is taken")
	require.Equal(t, "rate-limited", view.Problems["me"].Code)
}

func TestADevicesViewHasNoFriends(t *testing.T) {
	s := newStack(t)
	_, _, view := s.viewed(asksFor("daily", "5", wholeView).bearer(s.device().Token))
	require.Len(t, view.Problems, 1)
	require.Equal(t, "forbidden", view.Problems["friends"].Code)
	require.EqualValues(t, 1, fieldsOf(t, view.Week)["rank"])
}

func TestAQueuedScoreHasNoView(t *testing.T) {
	s, p := newQueuedStack(t)
	a := s.want(http.StatusAccepted, s.as("user_a", asksFor("daily", "5", wholeView)))
	require.Contains(t, string(a.body), `"view":null`)
	a = s.want(http.StatusAccepted, s.as("user_a", asksFor("daily", "5", `"view":[]`)))
	require.NotContains(t, string(a.body), `"view"`)
	s.want(http.StatusBadRequest, s.as("user_a", asksFor("daily", "5", `"view":["all"]`))).problem(t, "invalid-request")
	s.ingestAll(p)
	require.EqualValues(t, 1, s.page(daily).Total)
}
