package api_test

import (
	"strings"

	"github.com/framedle/leaderboards/internal/dev/apitest"

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

func newTypingStack(tb testing.TB) *apitest.Stack {
	s := apitest.NewStack(tb)
	s.Game = typingGame
	s.Handler = s.Process()
	return s
}

func TestValuesAreSentInPlaceOfAScore(t *testing.T) {
	s := newTypingStack(t)
	a := s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, fast)))
	require.JSONEq(t, `{"mode":"time_30","date":"2026-11-18","player":"user_a","status":"accepted",
		"score":92519070,"values":{"wpm":92.5,"accuracy":98.2},"submitted":92519070,"submitted_values":{"wpm":92.5,"accuracy":98.2},
		"rank":1,"total":1,"percentile":100,"board":"lb:time_30:2026-11-18"}`, string(a.Body))
	require.Contains(t, string(a.Body), fastIs, "in the order of the game")
	a = s.Want(http.StatusOK, s.As("user_a", apitest.Post(apitest.Scores, slower)))
	require.Contains(t, string(a.Body), `"status":"kept",`+fastIs+`,"submitted":92509249,"submitted_values":{"wpm":92.49,"accuracy":100}`)
	a = s.Want(http.StatusOK, apitest.Post(apitest.Batch, `{"scores":[{"mode":"time_30","player":"user_b","values":{"wpm":9.249e1,"accuracy":100.00}},`+
		`{"mode":"time_30","player":"user_c","values":{"wpm":1}},{"mode":"plain","player":"user_c","score":5}]}`).Signed())
	require.Contains(t, string(a.Body), `"status":"accepted",`+slowerIs)
	require.Contains(t, string(a.Body), `"errors":[{"pointer":"/values/accuracy"`)
	require.Contains(t, string(a.Body), `"status":"accepted","score":5,"submitted":5`)
}

// Everywhere a score is shown its values are beside it, and nowhere else.
func TestValuesAreBesideEveryScore(t *testing.T) {
	s := newTypingStack(t)
	s.Keep()
	s.Want(http.StatusCreated, apitest.Post(apitest.Scores, `{"mode":"time_30","player":"user_a","values":{"wpm":92.5,"accuracy":98.2},"country":"BR","groups":["org_1"]}`).Signed())
	s.Want(http.StatusCreated, apitest.Post(apitest.Scores, `{"mode":"time_30","player":"user_b","values":{"wpm":92.49,"accuracy":100},"country":"BR","groups":["org_1"]}`).Signed())
	for _, query := range []string{"", "?period=week", "?period=month", "?period=alltime", "?scope=country:BR", "?scope=group:org_1"} {
		a := s.Want(http.StatusOK, apitest.Get(time30+query))
		require.Contains(t, string(a.Body), `"entries":[{"rank":1,"player":"user_a",`+fastIs, query)
		require.Contains(t, string(a.Body), `{"rank":2,"player":"user_b",`+slowerIs, query)
	}
	for _, c := range []apitest.Call{
		apitest.Get(time30 + "/players/user_a"), apitest.Get(time30 + "/around/user_b"), apitest.Post(time30+"/lookup", `{"players":["user_a"]}`),
		s.As("user_a", apitest.Get(time30+"/friends")),
		s.As("user_a", apitest.Get("/v1/me")), s.As("user_a", apitest.Get(apitest.MyExport)),
	} {
		require.Contains(t, string(s.Want(http.StatusOK, c).Body), fastIs, c.Target)
	}
	around := s.Want(http.StatusOK, apitest.Get(time30+"/around/user_b"))
	require.Contains(t, string(around.Body), `"rank":2,`+slowerIs+"}")
	parts := []string{"page", "around", "week"}
	parts = append(parts, "friends")
	view := s.Want(http.StatusOK, s.As("user_a", apitest.Post(apitest.Scores, fast[:len(fast)-1]+`,"view":["`+strings.Join(parts, `","`)+`"]}`)))
	require.Contains(t, string(view.Body), `"week":{"mode":"time_30"`)
	var shown struct{ View map[string]json.RawMessage }
	require.NoError(t, json.Unmarshal(view.Body, &shown))
	for part, body := range shown.View {
		require.Contains(t, string(body), fastIs, part)
	}

	s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"plain","score":5}`)))
	for _, c := range []apitest.Call{apitest.Get("/v1/leaderboards/plain"), apitest.Get("/v1/leaderboards/xp?period=alltime"), apitest.Get("/v1/leaderboards/plain/players/user_a")} {
		require.NotContains(t, string(s.Want(http.StatusOK, c).Body), `"values"`, c.Target)
	}
	require.Contains(t, string(s.Want(http.StatusOK, s.As("user_a", apitest.Get("/v1/me"))).Body), `"xp":30,`, "a play, and 60 words a minute")
}

func TestTheLowestLeadsByValuesOfTheirOwnOrders(t *testing.T) {
	s := newTypingStack(t)
	for player, values := range map[string]string{
		"third": `{"moves":10,"stars":0}`, "second": `{"moves":10,"stars":2}`, "first": `{"moves":-5,"stars":0}`, "last": `{"moves":500,"stars":3}`,
	} {
		s.Want(http.StatusCreated, s.As(player, apitest.Post(apitest.Scores, `{"mode":"maze","values":`+values+`}`)))
	}
	a := s.Want(http.StatusOK, apitest.Get("/v1/leaderboards/maze"))
	require.Contains(t, string(a.Body), `"entries":[{"rank":1,"player":"first","score":3,"values":{"moves":-5,"stars":0}},`+
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
		commands, _ := s.Spent(func() {
			a := s.Send(s.As("user_a", apitest.Post(apitest.Scores, c.body)))
			p := a.Problem(t, c.kind)
			require.NotEmpty(t, p.Errors, c.body)
			require.Equal(t, []string{c.pointer, c.detail}, []string{p.Errors[0].Pointer, p.Errors[0].Detail}, c.body)
		})
		require.Zero(t, commands, c.body)
	}
	both := s.Send(s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"time_30","values":{"wpm":351,"accuracy":101}}`))).Problem(t, "score-out-of-bounds")
	require.Len(t, both.Errors, 2)
	s.Send(s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"nothing","values":{"wpm":1}}`))).Problem(t, "unknown-mode")
}

func TestTheGameTellsWhatItRanksBy(t *testing.T) {
	s := newTypingStack(t)
	a := s.Want(http.StatusOK, apitest.Get("/v1/game"))
	require.Contains(t, string(a.Body), `"order":"desc","decimals":0,"min":0,"max":350045000,"values":[`+
		`{"name":"wpm","decimals":2,"min":0,"max":350,"order":"desc"},{"name":"accuracy","decimals":2,"min":0,"max":100,"order":"desc"}],"ties"`)
	require.Contains(t, string(a.Body), `"values":[{"name":"moves","decimals":0,"min":-5,"max":500,"order":"asc"},{"name":"stars","decimals":0,"min":0,"max":3,"order":"desc"}]`)
	require.Contains(t, string(a.Body), `"max":100,"ties"`, "one number has no values")
}

// What the archive has of a day that has left Redis has values as well.
func TestHistoryHasValues(t *testing.T) {
	s := newTypingStack(t)
	a := apitest.OpenArchive(t, archivetest.Database(t))
	s.History = jobs.NewHistory(a)
	s.Handler = s.Process()
	s.Want(http.StatusCreated, s.As("user_a", apitest.Post(apitest.Scores, fast)))
	s.Want(http.StatusCreated, s.As("user_b", apitest.Post(apitest.Scores, slower)))
	s.Clock.Set(apitest.Noon.Add(12*time.Hour + 20*time.Minute))
	_, err := s.Keeper(a).Daily(t.Context())
	require.NoError(t, err)
	before := told(s.Want(http.StatusOK, apitest.Get(time30+"?date="+apitest.Today)))
	s.LeaveRedis()
	require.Equal(t, before, told(s.Want(http.StatusOK, apitest.Get(time30+"?date="+apitest.Today))))
	for _, path := range []string{"", "/players/user_a", "/around/user_a"} {
		require.Contains(t, string(s.Want(http.StatusOK, apitest.Get(time30+path+"?date="+apitest.Today)).Body), fastIs, path)
	}
}
