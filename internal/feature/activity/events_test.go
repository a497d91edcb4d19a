package activity_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func eventScenarios() map[string]apitest.Scenario {
	huge := strings.Repeat(" ", 1<<20) + "{}"
	sent := func(body string) apitest.Call { return apitest.Post(apitest.EventsPath, body).Signed() }
	return map[string]apitest.Scenario{
		"POST /v1/events 200": {Call: apitest.Active(apitest.Plain(sent(apitest.GoodEvents)))},
		"POST /v1/events 400": {Call: apitest.Active(apitest.Plain(sent(`{"events":[]}`))), Kind: "invalid-request"},
		"POST /v1/events 401": {Call: apitest.Active(apitest.Plain(apitest.Post(apitest.EventsPath, apitest.GoodEvents))), Kind: "unauthenticated"},
		"POST /v1/events 403": {Call: apitest.Active(apitest.As("user_a", apitest.Post(apitest.EventsPath, apitest.GoodEvents))), Kind: "forbidden"},
		"POST /v1/events 404": {Call: apitest.Plain(sent(apitest.GoodEvents)), Kind: "not-found"},
		"POST /v1/events 413": {Call: apitest.Active(apitest.Plain(sent(huge))), Kind: "too-large"},
		"POST /v1/events 415": {Call: apitest.Active(apitest.Plain(apitest.Post(apitest.EventsPath, apitest.GoodEvents).With("Content-Type", "text/plain").Signed())), Kind: "unsupported-media-type"},
		"POST /v1/events 500": {Call: apitest.Active(apitest.Plain(apitest.Post(apitest.EventsPath, apitest.GoodEvents).With("Framedle-Signature", apitest.PanicHeader)))},
		"POST /v1/events 503": {Call: apitest.Active(apitest.Plain(sent(apitest.GoodEvents))), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},
	}
}

func TestEventsAreTakenOnceAndRefusedOneByOne(t *testing.T) {
	s := apitest.NewStack(t)
	apitest.Active(apitest.Plain(apitest.Call{}))(s)
	body := `{"events":[
		{"id":"e-1","type":"chat.message","at":"2026-11-18T11:00:00Z","group":"g1","from":"user_a","to":"user_b"},
		{"id":"e-2","type":"chat.message","at":"2026-11-18T11:00:00Z","group":"elsewhere","from":"user_a","to":"user_b"},
		{"id":"e-3","type":"chat.message","at":"noon","group":"g1","from":"user_a","to":"user_b"},
		7,
		{"id":"e-4","type":"chat.message","at":"2026-11-18T11:00:00+01:00","group":"g1","from":"user_b","to":"user_a","mood":"good"},
		{"id":"e-5","type":"chat.message","at":"2026-11-18T11:00:00+01:00","group":"g1","from":"user_b","to":"user_a"},
		{"id":"e-6","type":"chat.message","at":"2026-11-19T11:00:00Z","group":"g1","from":"user_b","to":"user_a"}
	]}`
	for _, counts := range []string{`"new":2,"known":0`, `"new":0,"known":2`} {
		a := s.Want(http.StatusOK, apitest.Post(apitest.EventsPath, body).Signed())
		require.Contains(t, string(a.Body), counts)
		for i, reason := range map[int]string{1: "unknown_group", 2: "unreadable", 3: "unreadable", 4: "unreadable", 6: "future"} {
			require.Contains(t, string(a.Body), fmt.Sprintf(`{"index":%d,"reason":"%s"`, i, reason))
		}
	}
}

func TestABatchHasBounds(t *testing.T) {
	s := apitest.NewStack(t)
	apitest.Active(apitest.Plain(apitest.Call{}))(s)
	one := `{"id":"e-1","type":"chat.message","at":"2026-11-18T11:00:00Z","group":"g1","from":"user_a","to":"user_b"}`
	many := func(n int) string { return `{"events":[` + strings.TrimSuffix(strings.Repeat(one+",", n), ",") + `]}` }
	require.Contains(t, string(s.Want(http.StatusOK, apitest.Post(apitest.EventsPath, many(500)).Signed()).Body), `"new":1,"known":499`)
	require.Contains(t, string(s.Want(http.StatusBadRequest, apitest.Post(apitest.EventsPath, many(501)).Signed()).Body), "at most 500 events")
	require.Contains(t, string(s.Want(http.StatusBadRequest, apitest.Post(apitest.EventsPath, `{"events":{}}`).Signed()).Body), "must be an array")
}

func TestNobodySubmitsToAModeThatIsComputed(t *testing.T) {
	s := apitest.NewStack(t)
	apitest.Active(apitest.Plain(apitest.Call{}))(s)
	require.Contains(t, string(s.Want(http.StatusOK, apitest.Get("/v1/game")).Body), `"activity"`)
	for _, c := range []apitest.Call{s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"social","score":5}`)), apitest.Post(apitest.Scores, `{"mode":"social","player":"user_a","score":5}`).Signed()} {
		require.Contains(t, string(s.Want(http.StatusForbidden, c).Body), "send that to POST /v1/events")
	}
}

// The next compute would put it back.
func TestNoScoreOfAComputedModeIsTakenOut(t *testing.T) {
	s := apitest.NewStack(t)
	apitest.Active(apitest.Plain(apitest.Call{}))(s)
	refused := s.Want(http.StatusBadRequest, apitest.Remove(apitest.OpsScores, `{"mode":"social","date":"2026-11-18","player":"user_a"}`).Bearer(apitest.OpsToken))
	require.Contains(t, string(refused.Body), "ban the player")
}

func TestEventsWaitForTheEndOfMaintenance(t *testing.T) {
	s := apitest.NewStack(t)
	apitest.Active(apitest.Plain(apitest.Call{}))(s)
	s.Want(http.StatusOK, apitest.Maintenance(s))
	s.Handler = s.Process() // which has asked nothing yet
	sent := apitest.Post(apitest.EventsPath, apitest.GoodEvents).Signed()
	s.Want(http.StatusServiceUnavailable, sent).Problem(t, "maintenance")
	s.Want(http.StatusOK, apitest.Remove(apitest.OpsMaintenance, "").Bearer(apitest.OpsToken))
	s.Handler = s.Process()
	require.Contains(t, string(s.Want(http.StatusOK, sent).Body), `"new":1`)
}

// Without a date, a group's board is that of the group's own date; a reader in another time
// zone sees what the group sees.
func TestAGroupsBoardIsOfTheDateWhereTheGroupIs(t *testing.T) {
	s := apitest.NewStack(t) // at noon in UTC
	s.Game = "day: local\n" + strings.Replace(apitest.Activity, "groups: [g1]", "groups: [g1, g2]\n  zones: {g2: Pacific/Auckland}", 1) +
		strings.Replace(s.Game, "modes:\n", "modes:\n"+strings.Replace(apitest.ActiveMode, "policy", "rolling: true, policy", 1), 1)
	s.Handler = s.Process()
	for target, key := range map[string]string{
		"/v1/leaderboards/social":                                            "2026-11-18",
		"/v1/leaderboards/social?scope=group:g1":                             "2026-11-18",
		"/v1/leaderboards/social?scope=group:g2":                             "2026-11-19",
		"/v1/leaderboards/social?scope=group:g2&date=2026-11-18":             "2026-11-18",
		"/v1/leaderboards/social?scope=group:g2&period=last7":                "2026-11-19",
		"/v1/leaderboards/social?scope=group:g2&period=week&date=2026-11-22": "2026-W47",
	} {
		a := s.Send(apitest.Get(target))
		require.Contains(t, string(a.Body), `"key":"`+key+`"`, target)
	}
}

func TestEveryStatusOfEventsHappens(t *testing.T) { apitest.EachStatus(t, eventScenarios()) }
