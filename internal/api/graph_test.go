package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/api/queries"
	"github.com/framedle/leaderboards/internal/feature/graph/engine"
)

const graphPath = "/graphql"

// asks is a query of a graph.
func asks(query string) call { return asksWith(query, nil) }

func asksWith(query string, variables map[string]any) call {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		panic(err)
	}
	return post(graphPath, string(body))
}

// graphAnswer is what a graph answers.
type graphAnswer struct {
	Data   json.RawMessage
	Errors []graphError
}

type graphError struct {
	Message    string
	Locations  json.RawMessage
	Path       json.RawMessage
	Extensions struct {
		Code       string
		Status     int
		RetryAfter int `json:"retry_after"`
	}
}

// graphed sends a query that is answered whole.
func (s *stack) graphed(c call) string {
	s.Helper()
	a := s.want(http.StatusOK, c)
	var got graphAnswer
	a.into(s, &got)
	require.Empty(s, got.Errors, "%s", c.body)
	return string(got.Data)
}

// ungraphed sends a query that is refused, and that costs nothing.
func (s *stack) ungraphed(c call) graphError {
	s.Helper()
	var got graphAnswer
	commands, _ := s.spent(func() { s.want(http.StatusBadRequest, c).into(s, &got) })
	require.Zero(s, commands, "%.200s", c.body)
	require.NotEmpty(s, got.Errors, "%.200s", c.body)
	require.Nil(s, got.Data)
	return got.Errors[0]
}

// keptQuery asks a query that the deployment keeps.
func keptQuery(file, variables string) call {
	text, err := queries.Files.ReadFile(file)
	if err != nil {
		panic(err)
	}
	return get(graphPath + "?hash=" + engine.Hash(string(text)) + "&variables=" + url.QueryEscape(variables))
}

func TestAGraphAnswersWhatTheRoutesAnswer(t *testing.T) {
	s := newStack(t)
	for i, player := range []string{"user_a", "user_b", "user_c"} {
		s.want(http.StatusCreated, post(scores, fmt.Sprintf(`{"mode":"daily","player":%q,"score":%d,"country":"BR","details":{"n":1}}`, player, 900-i)).signed())
		s.want(http.StatusCreated, post(scores, fmt.Sprintf(`{"mode":"fastest","player":%q,"score":%d.25}`, player, 9-i)).signed())
	}
	s.want(http.StatusOK, s.as("user_a", patch(myself, `{"name":"N0"}`)))
	s.handler = s.process()
	require.JSONEq(t, `{"board":{"mode":"daily","period":"DAY","key":"2026-11-18","scope":"global","total":3,"closed":false,"stale":false,"entries":[
		{"rank":1,"score":900,"me":false,"player":{"id":"user_a","name":"N0","country":"BR","card":{"rank":2,"score":9.25}}},
		{"rank":2,"score":899,"me":true,"player":{"id":"user_b","name":null,"country":"BR","card":{"rank":1,"score":8.25}}}]}}`,
		s.graphed(s.as("user_b", asks(`{ board(mode: "daily", first: 2) { mode period key scope total closed stale entries { rank score me player { id name country card(mode: "fastest", period: WEEK) { rank score } } } } }`))))

	var first struct {
		Board struct {
			Cursor  string
			Entries []struct{ Rank int }
		}
	}
	page := `query($after: String) { board(mode: "daily", first: 2, after: $after) { cursor entries { rank } } }`
	require.NoError(t, json.Unmarshal([]byte(s.graphed(asks(page))), &first))
	require.JSONEq(t, `{"board":{"cursor":null,"entries":[{"rank":3}]}}`, s.graphed(asksWith(page, map[string]any{"after": first.Board.Cursor})))

	require.JSONEq(t, `{"card":{"rank":2,"total":3,"percentile":66.67,"score":899,"details":{"n":1},"previousRank":null,"player":{"id":"user_b","name":null}},"nobody":null}`,
		s.graphed(asks(`{ card(mode: "daily", player: "user_b") { rank total percentile score details previousRank player { id name } } nobody: card(mode: "daily", player: "user_x") { rank } }`)))
	require.JSONEq(t, `{"players":[{"id":"user_a","name":"N0","card":{"rank":1}},{"id":"user_x","name":null,"card":null}]}`,
		s.graphed(asks(`{ players(ids: ["user_a", "user_x"]) { id name card(mode: "daily") { rank } } }`)))
}

func TestAGraphTellsPlayersWhatIsTheirs(t *testing.T) {
	s := newStack(t)
	s.befriend()
	s.want(http.StatusOK, asked("user_b", "user_a", post(requestsPath+"/user_b/accept", ""))(s))
	s.play("user_a", "daily", "500")
	s.play("user_b", "daily", "400")
	address := s.arrange("match1", "user_a", "user_b")
	s.want(http.StatusOK, s.as("user_a", get(myself))) // the process learns that nobody has played on days that no closing has taken in
	require.JSONEq(t, `{"me":{"player":{"id":"user_a"},"standing":{"xp":500,"streak":{"current":1},"today":[{"mode":"daily","rank":1,"score":500}]}}}`,
		s.graphed(s.as("user_a", asks(`{ me { player { id } standing { xp streak { current } today { mode rank score } } } }`))))
	require.JSONEq(t, `{"me":{"friends":[{"player":{"id":"user_b","card":{"rank":1,"score":400}}}]}}`,
		s.graphed(s.as("user_a", asks(`{ me { friends { player { id card(mode: "daily") { rank score } } } } }`))))
	id := address[len("/v1/duels/"):]
	require.JSONEq(t, `{"me":{"duels":[{"id":"`+id+`","status":"ready","players":["user_a","user_b"],"winner":null}]}}`,
		s.graphed(s.as("user_a", asks(`{ me { duels { id status players winner } } }`))))
	s.want(http.StatusOK, post(address+"/result", won).signed())
	require.JSONEq(t, `{"duel":{"status":"decided","winner":"user_a"}}`,
		s.graphed(s.as("user_b", asksWith(`query($id: ID!) { duel(id: $id) { status winner } }`, map[string]any{"id": id}))))

	s.want(http.StatusUnauthorized, asks(`{ me { player { id } } }`)).problem(t, "unauthenticated")
	s.want(http.StatusUnauthorized, asks(`{ me { player { id } } }`).bearer("nonsense")).problem(t, "unauthenticated")
	require.Equal(t, "forbidden", s.ungraphed(asks(`{ me { friends { player { id } } } }`).bearer(s.device().Token)).Extensions.Code)
}

func TestKeptQueriesAreForCaches(t *testing.T) {
	s := newStack(t)
	s.play("user_a", "daily", "500")
	kept := keptQuery("top.graphql", `{"mode":"daily","first":5}`)
	a := s.want(http.StatusOK, kept)
	require.Contains(t, string(a.body), `"entries":[{"rank":1,"score":500,"player":{"id":"user_a"`)
	page := s.want(http.StatusOK, get(daily))
	require.Equal(t, page.header.Get("Cache-Control"), a.header.Get("Cache-Control"))
	require.Equal(t, page.header.Get("CDN-Cache-Control"), a.header.Get("CDN-Cache-Control"))
	s.want(http.StatusNotModified, kept.with("If-None-Match", a.header.Get("ETag")))

	own := s.want(http.StatusOK, s.as("user_a", keptQuery("top-and-week.graphql", `{"mode":"daily"}`)))
	require.Contains(t, string(own.body), `"card":{"rank":1,"score":500}`)

	p := s.want(http.StatusNotFound, get(graphPath+"?hash=00")).problem(t, "not-found")
	require.Contains(t, p.Detail, "SHA-256")
	require.Contains(t, s.want(http.StatusBadRequest, get(graphPath+"?query={me{player{id}}}")).problem(t, "invalid-request").Detail, "hash")
	s.want(http.StatusBadRequest, keptQuery("top.graphql", `[]`)).problem(t, "invalid-request")
	wrong := s.want(http.StatusBadRequest, keptQuery("top.graphql", `{}`))
	require.Equal(t, "no-store", wrong.header.Get("Cache-Control"))
	require.Contains(t, string(wrong.body), `"code":"invalid-request"`)
}

func TestAGraphWithoutRedisSaysWhatItCannotAnswer(t *testing.T) {
	s := newStack(t)
	s.play("user_a", "daily", "500")
	s.handler = s.process()
	s.fail(redisDown)
	s.want(http.StatusServiceUnavailable, asks(`{ board(mode: "daily") { total } }`)).problem(t, "temporarily-unavailable")
	s.mendRedis()
	s.graphed(asks(`{ board(mode: "daily") { total } }`))
	s.fail(redisDown) // one is in memory, the other is not
	a := s.want(http.StatusOK, asks(`{ board(mode: "daily") { total } longest: board(mode: "longest") { total } }`))
	var got graphAnswer
	a.into(t, &got)
	require.JSONEq(t, `{"board":{"total":1},"longest":null}`, string(got.Data))
	require.Len(t, got.Errors, 1)
	require.Equal(t, "temporarily-unavailable", got.Errors[0].Extensions.Code)
	require.Equal(t, http.StatusServiceUnavailable, got.Errors[0].Extensions.Status)
	require.Positive(t, got.Errors[0].Extensions.RetryAfter)
	require.NotContains(t, string(a.body), "redis", "nothing of the inside")
}

func graphScenarios() map[string]scenario {
	kept := keptQuery("top.graphql", `{"mode":"daily"}`)
	const cold = `{ board(mode: "coins", period: MONTH) { total } }`
	own := asks(`{ me { player { id } } }`)
	return map[string]scenario{
		"POST /graphql 200": {call: plain(asks(`{ board(mode: "daily") { total } }`))},
		"POST /graphql 400": {call: plain(post(graphPath, `{"query":7}`)), kind: "invalid-request"},
		"POST /graphql 401": {call: plain(own), kind: "unauthenticated"},
		"POST /graphql 404": {call: func(s *stack) call { s.handler = s.withoutGraph(); return own }, kind: "not-found"},
		"POST /graphql 413": {call: plain(asks(strings.Repeat(" ", 17<<10))), kind: "too-large"},
		"POST /graphql 415": {call: plain(asks("{a}").with("Content-Type", "application/graphql")), kind: "unsupported-media-type"},
		"POST /graphql 429": {call: from("192.0.2.31:1", asks(`{ board(mode: "daily") { total } }`)), kind: "rate-limited"},
		"POST /graphql 500": {call: plain(asks(cold)), fault: refusedCommand, kind: "internal"},
		"POST /graphql 503": {call: plain(asks(cold)), fault: redisDown, kind: "temporarily-unavailable"},

		"GET /graphql 200": {call: plain(kept)},
		"GET /graphql 304": {call: known(kept)},
		"GET /graphql 400": {call: plain(get(graphPath)), kind: "invalid-request"},
		"GET /graphql 401": {call: func(s *stack) call {
			s.handler = s.withoutGraph("{ me { player { id } } }")
			return get(graphPath + "?hash=" + engine.Hash("{ me { player { id } } }"))
		}, kind: "unauthenticated"},
		"GET /graphql 404": {call: plain(get(graphPath + "?hash=0")), kind: "not-found"},
		"GET /graphql 429": {call: from("192.0.2.32:1", kept), kind: "rate-limited"},
		"GET /graphql 500": {call: plain(keptQuery("top.graphql", `{"mode":"coins","period":"MONTH"}`)), fault: refusedCommand, kind: "internal"},
		"GET /graphql 503": {call: plain(keptQuery("top.graphql", `{"mode":"coins","period":"MONTH"}`)), fault: redisDown, kind: "temporarily-unavailable"},
	}
}

// withoutGraph is a process that serves no GraphQL, or, given queries, one that keeps them.
func (s *stack) withoutGraph(kept ...string) http.Handler {
	functions := s.functions()
	if len(kept) == 0 {
		functions["graphql"] = s.graphOf(nil)
		return s.served(functions)
	}
	files := fstest.MapFS{}
	for i, text := range kept {
		files[fmt.Sprint(i, ".graphql")] = &fstest.MapFile{Data: []byte(text)}
	}
	engine, err := engine.New(engine.Options{Queries: files})
	require.NoError(s, err)
	functions["graphql"] = s.graphOf(engine)
	return s.served(functions)
}
