package api_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// typingGame has modes that rank by several values, and one that does not.
const typingGame = `
name: testing
limits: {submit: {player: off}, boards: {player: off}}
modes:
  time_30:
    policy: best
    score: [{name: wpm, decimals: 2, max: 350}, {name: accuracy, decimals: 2, max: 100}]
    scopes: [country, group]
    details: true
    xp: {play: 10, scores: {"60": 20}}
  maze:
    order: asc
    score: [{name: moves, min: -5, max: 500}, {name: stars, max: 3, order: desc}]
  plain: {max: 100}
`

const (
	time30   = "/v1/leaderboards/time_30"
	fast     = `{"mode":"time_30","values":{"wpm":92.5,"accuracy":98.2}}`
	fastIs   = `"score":92519070,"values":{"wpm":92.5,"accuracy":98.2}`
	slower   = `{"mode":"time_30","values":{"accuracy":100,"wpm":92.49}}`
	slowerIs = `"score":92509249,"values":{"wpm":92.49,"accuracy":100}`
)

func newTypingStack(tb testing.TB) *stack {
	s := newStack(tb)
	s.game = typingGame
	s.handler = s.process()
	return s
}

func TestValuesAreSentInPlaceOfAScore(t *testing.T) {
	s := newTypingStack(t)
	a := s.want(http.StatusCreated, s.as("user_a", post(scores, fast)))
	require.JSONEq(t, `{"mode":"time_30","date":"2026-11-18","player":"user_a","status":"accepted",
		"score":92519070,"values":{"wpm":92.5,"accuracy":98.2},"submitted":92519070,"submitted_values":{"wpm":92.5,"accuracy":98.2},
		"rank":1,"total":1,"percentile":100,"board":"lb:time_30:2026-11-18"}`, string(a.body))
	require.Contains(t, string(a.body), fastIs, "in the order of the game")
	a = s.want(http.StatusOK, s.as("user_a", post(scores, slower)))
	require.Contains(t, string(a.body), `"status":"kept",`+fastIs+`,"submitted":92509249,"submitted_values":{"wpm":92.49,"accuracy":100}`)
	a = s.want(http.StatusOK, post(batch, `{"scores":[{"mode":"time_30","player":"user_b","values":{"wpm":9.249e1,"accuracy":100.00}},`+
		`{"mode":"time_30","player":"user_c","values":{"wpm":1}},{"mode":"plain","player":"user_c","score":5}]}`).signed())
	require.Contains(t, string(a.body), `"status":"accepted",`+slowerIs)
	require.Contains(t, string(a.body), `"errors":[{"pointer":"/values/accuracy"`)
	require.Contains(t, string(a.body), `"status":"accepted","score":5,"submitted":5`)
}

// Everywhere a score is shown its values are beside it, and nowhere else.
func TestValuesAreBesideEveryScore(t *testing.T) {
	s := newTypingStack(t)
	s.befriend()
	s.want(http.StatusCreated, post(scores, `{"mode":"time_30","player":"user_a","values":{"wpm":92.5,"accuracy":98.2},"country":"BR","groups":["org_1"]}`).signed())
	s.want(http.StatusCreated, post(scores, `{"mode":"time_30","player":"user_b","values":{"wpm":92.49,"accuracy":100},"country":"BR","groups":["org_1"]}`).signed())
	for _, query := range []string{"", "?period=week", "?period=month", "?period=alltime", "?scope=country:BR", "?scope=group:org_1"} {
		a := s.want(http.StatusOK, get(time30+query))
		require.Contains(t, string(a.body), `"entries":[{"rank":1,"player":"user_a",`+fastIs, query)
		require.Contains(t, string(a.body), `{"rank":2,"player":"user_b",`+slowerIs, query)
	}
	for _, c := range []call{
		get(time30 + "/players/user_a"), get(time30 + "/around/user_b"), post(time30+"/lookup", `{"players":["user_a"]}`),
		s.as("user_a", get(time30+"/friends")), s.as("user_a", get("/v1/me")), s.as("user_a", get(myExport)),
	} {
		require.Contains(t, string(s.want(http.StatusOK, c).body), fastIs, c.target)
	}
	around := s.want(http.StatusOK, get(time30+"/around/user_b"))
	require.Contains(t, string(around.body), `"rank":2,`+slowerIs+"}")
	view := s.want(http.StatusOK, s.as("user_a", post(scores, fast[:len(fast)-1]+`,"view":["page","around","friends","week"]}`)))
	require.Contains(t, string(view.body), `"week":{"mode":"time_30"`)
	var shown struct{ View map[string]json.RawMessage }
	require.NoError(t, json.Unmarshal(view.body, &shown))
	for part, body := range shown.View {
		require.Contains(t, string(body), fastIs, part)
	}

	s.want(http.StatusCreated, s.as("user_a", post(scores, `{"mode":"plain","score":5}`)))
	for _, c := range []call{get("/v1/leaderboards/plain"), get("/v1/leaderboards/xp?period=alltime"), get("/v1/leaderboards/plain/players/user_a")} {
		require.NotContains(t, string(s.want(http.StatusOK, c).body), `"values"`, c.target)
	}
	require.Contains(t, string(s.want(http.StatusOK, s.as("user_a", get("/v1/me"))).body), `"xp":30,`, "a play, and 60 words a minute")
}

func TestTheLowestLeadsByValuesOfTheirOwnOrders(t *testing.T) {
	s := newTypingStack(t)
	for player, values := range map[string]string{
		"third": `{"moves":10,"stars":0}`, "second": `{"moves":10,"stars":2}`, "first": `{"moves":-5,"stars":0}`, "last": `{"moves":500,"stars":3}`,
	} {
		s.want(http.StatusCreated, s.as(player, post(scores, `{"mode":"maze","values":`+values+`}`)))
	}
	a := s.want(http.StatusOK, get("/v1/leaderboards/maze"))
	require.Contains(t, string(a.body), `"entries":[{"rank":1,"player":"first","score":3,"values":{"moves":-5,"stars":0}},`+
		`{"rank":2,"player":"second","score":61,"values":{"moves":10,"stars":2}},`+
		`{"rank":3,"player":"third","score":63,"values":{"moves":10,"stars":0}},`+
		`{"rank":4,"player":"last","score":2020,"values":{"moves":500,"stars":3}}]`)
}

func TestWrongValuesAreRefusedForNothing(t *testing.T) {
	s := newTypingStack(t)
	for _, c := range []struct {
		body, kind, pointer, detail string
	}{
		{`{"mode":"time_30","score":92}`, "invalid-request", "/score",
			`the mode time_30 ranks by wpm and accuracy; send these as values, as in {"wpm":350,"accuracy":100}`},
		{`{"mode":"time_30"}`, "invalid-request", "/values", `this field is required, as in {"wpm":350,"accuracy":100}`},
		{`{"mode":"time_30","values":null}`, "invalid-request", "/values", `this field is required, as in {"wpm":350,"accuracy":100}`},
		{`{"mode":"time_30","score":92,"values":{"wpm":1,"accuracy":1}}`, "invalid-request", "/values", "send either a score or values"},
		{`{"mode":"plain","score":92,"values":{"wpm":1,"accuracy":1}}`, "invalid-request", "/values", "send either a score or values"},
		{`{"mode":"plain","values":{"wpm":1,"accuracy":1}}`, "invalid-request", "/values", "the mode plain ranks by one number; send it as score"},
		{`{"mode":"nothing","score":92,"values":{}}`, "invalid-request", "/values", "send either a score or values"},
		{`{"mode":"time_30","values":[92.5,98.2]}`, "invalid-request", "/values", "this is not a JSON object: it is an array"},
		{`{"mode":"time_30","values":{"wpm":92.5}}`, "invalid-request", "/values/accuracy", "this field is required"},
		{`{"mode":"time_30","values":{"wpm":92.5,"accuracy":98.2,"errors":0}}`, "invalid-request", "/values/errors", "unknown field; allowed: accuracy, wpm"},
		{`{"mode":"time_30","values":{"wpm":92.5,"accuracy":98.2,"wpm":1}}`, "invalid-request", "/values/wpm", `duplicate key "wpm"`},
		{`{"mode":"time_30","values":{"wpm":"92.5","accuracy":98.2}}`, "invalid-request", "/values/wpm", "this must be a number, not a string or anything else"},
		{`{"mode":"time_30","values":{"wpm":92.505,"accuracy":98.2}}`, "invalid-request", "/values/wpm", "92.505 has too many decimal places; use at most 2"},
		{`{"mode":"time_30","values":{"wpm":1e17,"accuracy":98.2}}`, "invalid-request", "/values/wpm", "1e17 is beyond 2^53; use a smaller number"},
		{`{"mode":"time_30","values":{"wpm":350.01,"accuracy":98.2}}`, "score-out-of-bounds", "/values/wpm", "350.01 is outside the bounds; use 0 to 350"},
		{`{"mode":"time_30","values":{"wpm":92.5,"accuracy":-0.01}}`, "score-out-of-bounds", "/values/accuracy", "-0.01 is outside the bounds; use 0 to 100"},
	} {
		commands, _ := s.spent(func() {
			a := s.send(s.as("user_a", post(scores, c.body)))
			p := a.problem(t, c.kind)
			require.NotEmpty(t, p.Errors, c.body)
			require.Equal(t, []string{c.pointer, c.detail}, []string{p.Errors[0].Pointer, p.Errors[0].Detail}, c.body)
		})
		require.Zero(t, commands, c.body)
	}
	both := s.send(s.as("user_a", post(scores, `{"mode":"time_30","values":{"wpm":351,"accuracy":101}}`))).problem(t, "score-out-of-bounds")
	require.Len(t, both.Errors, 2)
	s.send(s.as("user_a", post(scores, `{"mode":"nothing","values":{"wpm":1}}`))).problem(t, "unknown-mode")
}

func TestTheGameTellsWhatItRanksBy(t *testing.T) {
	s := newTypingStack(t)
	a := s.want(http.StatusOK, get("/v1/game"))
	require.Contains(t, string(a.body), `"order":"desc","decimals":0,"min":0,"max":350045000,"values":[`+
		`{"name":"wpm","decimals":2,"min":0,"max":350,"order":"desc"},{"name":"accuracy","decimals":2,"min":0,"max":100,"order":"desc"}],"ties"`)
	require.Contains(t, string(a.body), `"values":[{"name":"moves","decimals":0,"min":-5,"max":500,"order":"asc"},{"name":"stars","decimals":0,"min":0,"max":3,"order":"desc"}]`)
	require.Contains(t, string(a.body), `"max":100,"ties"`, "one number has no values")
}

func TestQueuedValuesAreWritten(t *testing.T) {
	s, p := newQueuedStack(t)
	s.game = typingGame
	s.handler = s.process()
	a := s.want(http.StatusAccepted, s.as("user_a", post(scores, fast)))
	require.JSONEq(t, `{"mode":"time_30","date":"2026-11-18","player":"user_a","status":"queued","submitted":92519070,"submitted_values":{"wpm":92.5,"accuracy":98.2}}`, string(a.body))
	s.ingestAll(p)
	require.Contains(t, string(s.want(http.StatusOK, get(time30+"/players/user_a")).body), fastIs)
}

// What the archive has of a day that has left Redis has values as well.
func TestHistoryHasValues(t *testing.T) {
	s := newTypingStack(t)
	a := openArchive(t, archivetest.Database(t))
	s.history = jobs.NewHistory(a)
	s.handler = s.process()
	s.want(http.StatusCreated, s.as("user_a", post(scores, fast)))
	s.want(http.StatusCreated, s.as("user_b", post(scores, slower)))
	s.clock.Set(noon.Add(12*time.Hour + 20*time.Minute))
	_, err := s.keeper(a).Daily(t.Context())
	require.NoError(t, err)
	before := told(s.want(http.StatusOK, get(time30+"?date="+today)))
	s.leaveRedis()
	require.Equal(t, before, told(s.want(http.StatusOK, get(time30+"?date="+today))))
	for _, path := range []string{"", "/players/user_a", "/around/user_a"} {
		require.Contains(t, string(s.want(http.StatusOK, get(time30+path+"?date="+today)).body), fastIs, path)
	}
}
