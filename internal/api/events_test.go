package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	eventsPath = "/v1/events"
	goodEvents = `{"events":[{"id":"e-1","type":"chat.message","at":"2026-11-18T11:00:00Z","group":"g1","from":"user_a","to":"user_b"}]}`
	// activity and activeMode are what the test's game lacks.
	activity = `activity:
  groups: [g1]
  events:
    chat.message: {who: [from, to], message: true, count: {sent: from}, distinct: {senders: {of: to, by: from}}}
  pillars:
    social: {sent: 0.5, senders: 1}
`
	activeMode = "  social: {policy: latest, ties: shared, decimals: 2, max: 1000, scopes: [group]}\n"
)

// active makes a call where the game has activity.
func active(c func(*stack) call) func(*stack) call {
	return func(s *stack) call {
		if !strings.HasPrefix(s.game, activity) {
			s.game = activity + strings.Replace(s.game, "modes:\n", "modes:\n"+activeMode, 1)
			s.handler = s.process()
		}
		return c(s)
	}
}

func eventScenarios() map[string]scenario {
	huge := strings.Repeat(" ", 1<<20) + "{}"
	sent := func(body string) call { return post(eventsPath, body).signed() }
	return map[string]scenario{
		"POST /v1/events 200": {call: active(plain(sent(goodEvents)))},
		"POST /v1/events 400": {call: active(plain(sent(`{"events":[]}`))), kind: "invalid-request"},
		"POST /v1/events 401": {call: active(plain(post(eventsPath, goodEvents))), kind: "unauthenticated"},
		"POST /v1/events 403": {call: active(as("user_a", post(eventsPath, goodEvents))), kind: "forbidden"},
		"POST /v1/events 404": {call: plain(sent(goodEvents)), kind: "not-found"},
		"POST /v1/events 413": {call: active(plain(sent(huge))), kind: "too-large"},
		"POST /v1/events 415": {call: active(plain(post(eventsPath, goodEvents).with("Content-Type", "text/plain").signed())), kind: "unsupported-media-type"},
		"POST /v1/events 500": {call: active(plain(post(eventsPath, goodEvents).with("Framedle-Signature", panicHeader)))},
		"POST /v1/events 503": {call: active(plain(sent(goodEvents))), fault: redisDown, kind: "temporarily-unavailable"},
	}
}

func TestEventsAreTakenOnceAndRefusedOneByOne(t *testing.T) {
	s := newStack(t)
	active(plain(call{}))(s)
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
		a := s.want(http.StatusOK, post(eventsPath, body).signed())
		require.Contains(t, string(a.body), counts)
		for i, reason := range map[int]string{1: "unknown_group", 2: "unreadable", 3: "unreadable", 4: "unreadable", 6: "future"} {
			require.Contains(t, string(a.body), fmt.Sprintf(`{"index":%d,"reason":"%s"`, i, reason))
		}
	}
}

func TestABatchHasBounds(t *testing.T) {
	s := newStack(t)
	active(plain(call{}))(s)
	one := `{"id":"e-1","type":"chat.message","at":"2026-11-18T11:00:00Z","group":"g1","from":"user_a","to":"user_b"}`
	many := func(n int) string { return `{"events":[` + strings.TrimSuffix(strings.Repeat(one+",", n), ",") + `]}` }
	require.Contains(t, string(s.want(http.StatusOK, post(eventsPath, many(500)).signed()).body), `"new":1,"known":499`)
	require.Contains(t, string(s.want(http.StatusBadRequest, post(eventsPath, many(501)).signed()).body), "more than 500 events")
	require.Contains(t, string(s.want(http.StatusBadRequest, post(eventsPath, `{"events":{}}`).signed()).body), "must be an array")
}

func TestNobodySubmitsToAModeThatIsComputed(t *testing.T) {
	s := newStack(t)
	active(plain(call{}))(s)
	require.Contains(t, string(s.want(http.StatusOK, get("/v1/game")).body), `"activity"`)
	for _, c := range []call{s.as("user_a", post(scores, `{"mode":"social","score":5}`)), post(scores, `{"mode":"social","player":"user_a","score":5}`).signed()} {
		require.Contains(t, string(s.want(http.StatusForbidden, c).body), "send that to POST /v1/events")
	}
}

// The next compute would put it back.
func TestNoScoreOfAComputedModeIsTakenOut(t *testing.T) {
	s := newStack(t)
	active(plain(call{}))(s)
	refused := s.want(http.StatusBadRequest, remove(opsScores, `{"mode":"social","date":"2026-11-18","player":"user_a"}`).bearer(opsToken))
	require.Contains(t, string(refused.body), "ban the player")
}

func TestEventsWaitForTheEndOfMaintenance(t *testing.T) {
	s := newStack(t)
	active(plain(call{}))(s)
	s.want(http.StatusOK, maintenance(s))
	s.handler = s.process() // which has asked nothing yet
	sent := post(eventsPath, goodEvents).signed()
	s.want(http.StatusServiceUnavailable, sent).problem(t, "maintenance")
	s.want(http.StatusOK, remove(opsMaintenance, "").bearer(opsToken))
	s.handler = s.process()
	require.Contains(t, string(s.want(http.StatusOK, sent).body), `"new":1`)
}

// Without a date, a group's board is that of the group's own date; a reader in another time
// zone sees what the group sees.
func TestAGroupsBoardIsOfTheDateWhereTheGroupIs(t *testing.T) {
	s := newStack(t) // at noon in UTC
	s.game = "day: local\n" + strings.Replace(activity, "groups: [g1]", "groups: [g1, g2]\n  zones: {g2: Pacific/Auckland}", 1) +
		strings.Replace(s.game, "modes:\n", "modes:\n"+strings.Replace(activeMode, "policy", "rolling: true, policy", 1), 1)
	s.handler = s.process()
	for target, key := range map[string]string{
		"/v1/leaderboards/social":                                            "2026-11-18",
		"/v1/leaderboards/social?scope=group:g1":                             "2026-11-18",
		"/v1/leaderboards/social?scope=group:g2":                             "2026-11-19",
		"/v1/leaderboards/social?scope=group:g2&date=2026-11-18":             "2026-11-18",
		"/v1/leaderboards/social?scope=group:g2&period=last7":                "2026-11-19",
		"/v1/leaderboards/social?scope=group:g2&period=week&date=2026-11-22": "2026-W47",
	} {
		a := s.send(get(target))
		require.Contains(t, string(a.body), `"key":"`+key+`"`, target)
	}
}
