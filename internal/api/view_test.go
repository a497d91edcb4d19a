package api_test

import (
	"slices"

	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash/upstashtest"
)

var (
	viewParts = []string{
		"page", "around",
		"friends",
		"week", "me",
	}
	wholeView = `"view":["` + strings.Join(viewParts, `","`) + `"]`
)

func asksFor(mode, score, more string) apitest.Call {
	return apitest.Post(apitest.Scores, fmt.Sprintf(`{"mode":%q,"score":%s,%s}`, mode, score, more))
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
			s := apitest.NewStack(t)
			for i := range 20 {
				s.Want(http.StatusCreated, asksFor(mode, itoa(i%7+1), `"player":"user_`+itoa(i)+`"`).Signed().With("Idempotency-Key", "k"+itoa(i)))
			}
			_, rest, view := s.Viewed(s.As("user_a", asksFor(mode, "5", wholeView)).With("Idempotency-Key", "own"))
			require.Empty(t, view.Problems)
			read := func(path string) []byte { return s.Want(http.StatusOK, s.As("user_a", apitest.Get(path))).Body }
			board := "/v1/leaderboards/" + mode
			moment := []string{"updated_at"}
			require.Equal(t, fieldsOf(t, read(board), moment...), fieldsOf(t, view.Page, moment...))
			require.Equal(t, fieldsOf(t, read(board+"/around/me"), moment...), fieldsOf(t, view.Around, moment...))
			require.Equal(t, fieldsOf(t, read(board+"/friends"), moment...), fieldsOf(t, view.Friends, moment...))
			require.Equal(t, fieldsOf(t, read(board+"/players/me?period=week")), fieldsOf(t, view.Week))
			require.Equal(t, fieldsOf(t, read(apitest.Myself), "profile", "badges"), fieldsOf(t, view.Me))
			require.Equal(t, rest["rank"], fieldsOf(t, view.Around)["rank"])
			require.EqualValues(t, 5, fieldsOf(t, view.Week)["score"], "this play included")
		})
	}
}

// The parts that are asked for are there, and no others, in whatever order.
func TestAViewHasTheParts(t *testing.T) {
	s := apitest.NewStack(t)
	for asked, want := range map[string]string{
		`[]`: "", `null`: "", `["me"]`: "me", `["week","around"]`: "around week", `["me","page"]`: "page me",
		`["me","friends","page"]`: "page friends me",
	} {
		a, _, _ := s.Viewed(s.As("user_a", asksFor("daily", "5", `"view":`+asked)))
		var shown struct{ View map[string]json.RawMessage }
		require.NoError(t, json.Unmarshal(a.Body, &shown))
		var names []string
		for _, name := range append(slices.Clone(viewParts), "problems") {
			if _, there := shown.View[name]; there {
				names = append(names, name)
			}
		}
		require.Equal(t, want, strings.Join(names, " "), asked)
		require.Equal(t, want != "", strings.Contains(string(a.Body), `"view"`))
	}
}

func TestBadViewsAreRefused(t *testing.T) {
	s := apitest.NewStack(t)
	s.Want(http.StatusForbidden, s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"judged","score":1}`)))
	for view, pointer := range map[string]string{
		`"me"`: "/view", `{}`: "/view", `[1]`: "/view", `["me","badges"]`: "/view/1", `[""]`: "/view/0", `["me","me"]`: "/view/1", `["Around"]`: "/view/0",
		`[null]`: "/view/0",
		`["page","around","friends","week","me","me"]`: "/view",
	} {
		commands, _ := s.Spent(func() {
			p := s.Want(http.StatusBadRequest, s.As("user_a", asksFor("daily", "5", `"view":`+view))).Problem(t, "invalid-request")
			require.Equal(t, pointer, p.Errors[0].Pointer, view)
		})
		require.Zero(t, commands, view)
	}
	// What a batch has is for nobody to look at.
	var result apitest.BatchBody
	s.Want(http.StatusOK, apitest.Post(apitest.Batch, `{"scores":[{"mode":"daily","player":"a","score":1,"view":["me"]}]}`).Signed()).Into(t, &result)
	require.Equal(t, "/view", result.Results[0].Problem.Errors[0].Pointer)
	// A score that is refused has no view, and costs nothing for it.
	commands, _ := s.Spent(func() {
		a := s.Want(http.StatusUnprocessableEntity, s.As("user_a", asksFor("daily", "1001", wholeView)))
		require.NotContains(t, string(a.Body), `"view"`)
	})
	require.Zero(t, commands)
}

// One request costs no more than the requests that it replaces, and less with the part
// around: the write has read a small board, and gives the rank on a larger one.
func TestAViewCostsNoMoreThanItsRoutes(t *testing.T) {
	cost := func(players int, period string, parts ...string) (together, apart int64) {
		prepared := func() *apitest.Stack {
			s := apitest.NewStack(t)
			s.Clock.Stop()
			s.Crowd(players)
			s.Page(apitest.Daily + "?limit=1&offset=1") // who is banned, and such
			return s
		}
		play := asksFor("daily", "500", `"date":"`+apitest.Today+`"`)
		s := prepared()
		together, _ = s.Spent(func() {
			_, _, view := s.Viewed(s.As("user_a", asksFor("daily", "500", `"view":["`+strings.Join(parts, `","`)+`"]`)))
			require.Empty(t, view.Problems)
		})
		s = prepared()
		apart, _ = s.Spent(func() { s.Want(http.StatusCreated, s.As("user_a", play)) })
		routes := map[string]string{"page": apitest.Daily, "around": apitest.Daily + "/around/me", "week": apitest.Daily + "/players/me?period=week", "me": apitest.Myself}
		routes["friends"] = apitest.Daily + "/friends"
		s.Handler = s.Process() // functions know nothing of each other
		for _, part := range parts {
			commands, _ := s.Spent(func() { s.Want(http.StatusOK, s.As("user_a", apitest.Get(routes[part]))) })
			apart += commands
		}
		return together, apart
	}
	for _, players := range []int{10, 3000} {
		for _, parts := range [][]string{
			{"page"}, {"around"},
			{"friends"},
			{"week"}, {"me"}, viewParts,
		} {
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
	s := apitest.NewStack(t)
	c := s.As("user_a", asksFor("daily", "500", wholeView)).With("Idempotency-Key", "once")
	first, rest, view := s.Viewed(c)
	require.EqualValues(t, 1, fieldsOf(t, view.Around)["rank"])
	s.Play("user_b", "daily", "800")
	again, restAgain, viewAgain := s.Viewed(c)
	require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
	require.Equal(t, first.Status, again.Status)
	require.Equal(t, rest, restAgain)
	require.EqualValues(t, 2, fieldsOf(t, viewAgain.Around)["rank"])
	s.Want(http.StatusUnprocessableEntity, s.As("user_a", asksFor("daily", "500", `"view":["me"]`)).With("Idempotency-Key", "once")).Problem(t, "idempotency-key-reused")

	coins := s.As("user_a", asksFor("coins", "5", wholeView)).With("Idempotency-Key", "sum")
	s.Viewed(coins)
	_, rest, view = s.Viewed(coins)
	require.Equal(t, "replayed", rest["status"])
	require.EqualValues(t, 5, fieldsOf(t, view.Around)["score"])
	_, rest, view = s.Viewed(s.As("user_a", asksFor("daily", "900", wholeView)))
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
					s := apitest.NewStack(t)
					s.Play("user_b", "daily", "300")
					s.Play("user_c", "daily", "200")
					s.Page(apitest.Daily)
					writes := 1
					if key != "" {
						writes = 3 // the key is claimed, and its answer kept
					}
					left := after + writes
					s.Redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
						if left--; left >= 0 {
							return upstashtest.Fault{}
						}
						return fault
					})
					c := s.As("user_d", asksFor("daily", "500", wholeView))
					if key != "" {
						c = c.With("Idempotency-Key", key)
					}
					a, rest, view := s.Viewed(c)
					if a.Status == http.StatusCreated {
						require.Equal(t, "accepted", rest["status"])
						require.EqualValues(t, 1, rest["rank"])
					}
					for part, found := range map[string]json.RawMessage{
						"page": view.Page, "around": view.Around,
						"friends": view.Friends,
						"week":    view.Week, "me": view.Me,
					} {
						p, missing := view.Problems[part]
						require.Equal(t, missing, string(found) == "null", part)
						if missing {
							require.Contains(t, []string{"temporarily-unavailable", "internal"}, p.Code)
							require.Len(t, p.Instance, 32)
						}
					}
					s.MendRedis()
					_, again, view := s.Viewed(c)
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
	s := apitest.NewStack(t)
	s.Game = strings.Replace(apitest.TestGame, "boards: {player: off}", "boards: {player: 3/1m}", 1)
	s.Handler = s.Process()
	s.Clock.Stop()
	for i := range 5 {
		commands, _ := s.Spent(func() {
			_, _, view := s.Viewed(s.As("user_a", asksFor("longest", itoa(i+1), wholeView)))
			require.Len(t, view.Problems, map[bool]int{true: 0, false: len(viewParts)}[i < 3], i)
			if i >= 3 {
				require.Equal(t, "rate-limited", view.Problems["week"].Code)
			}
		})
		if i >= 3 {
			require.LessOrEqual(t, commands, int64(3), "the score alone")
		}
	}
	s.Want(http.StatusTooManyRequests, s.As("user_a", apitest.Get(apitest.Daily))).Problem(t, "rate-limited")
	for range 5 { // game servers are not counted
		_, _, view := s.Viewed(asksFor("longest", "1", `"player":"user_a",`+wholeView).Signed())
		require.Empty(t, view.Problems)
	}
}

// What a view may cost is held against whoever pays, as its routes' would be.
func TestAViewIsPaidFor(t *testing.T) {
	s := apitest.NewStack(t)
	s.Game = strings.Replace(apitest.TestGame, "commands: {player: off}", "commands: {player: 35/1d}", 1)
	s.Handler = s.Process()
	_, rest, view := s.Viewed(s.As("user_a", asksFor("longest", "5", `"view":["around"]`)))
	require.Empty(t, view.Problems)
	require.Equal(t, "accepted", rest["status"])
	_, rest, view = s.Viewed(s.As("user_a", asksFor("longest", "6", wholeView)))
	require.Equal(t, "improved", rest["status"], "the score is taken")
	require.Equal(t, "rate-limited", view.Problems["me"].Code)
}

func TestADevicesViewHasNoFriends(t *testing.T) {
	s := apitest.NewStack(t)
	_, _, view := s.Viewed(asksFor("daily", "5", wholeView).Bearer(s.Device().Token))
	require.Len(t, view.Problems, 1)
	require.Equal(t, "forbidden", view.Problems["friends"].Code)
	require.EqualValues(t, 1, fieldsOf(t, view.Week)["rank"])
}
