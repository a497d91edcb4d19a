package graph_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/graph/engine"
)

func TestAGraphAnswersWhatTheRoutesAnswer(t *testing.T) {
	s := apitest.NewStack(t)
	for i, player := range []string{"user_a", "user_b", "user_c"} {
		s.Want(http.StatusCreated, apitest.Post(apitest.Scores, fmt.Sprintf(`{"mode":"daily","player":%q,"score":%d,"country":"BR","details":{"n":1}}`, player, 900-i)).Signed())
		s.Want(http.StatusCreated, apitest.Post(apitest.Scores, fmt.Sprintf(`{"mode":"fastest","player":%q,"score":%d.25}`, player, 9-i)).Signed())
	}
	s.Want(http.StatusOK, s.As("user_a", apitest.Patch(apitest.Myself, `{"name":"N0"}`)))
	s.Handler = s.Process()
	require.JSONEq(t, `{"board":{"mode":"daily","period":"DAY","key":"2026-11-18","scope":"global","total":3,"closed":false,"stale":false,"entries":[
		{"rank":1,"score":900,"me":false,"player":{"id":"user_a","name":"N0","country":"BR","card":{"rank":2,"score":9.25}}},
		{"rank":2,"score":899,"me":true,"player":{"id":"user_b","name":null,"country":"BR","card":{"rank":1,"score":8.25}}}]}}`,
		s.Graphed(s.As("user_b", apitest.Asks(`{ board(mode: "daily", first: 2) { mode period key scope total closed stale entries { rank score me player { id name country card(mode: "fastest", period: WEEK) { rank score } } } } }`))))

	var first struct {
		Board struct {
			Cursor  string
			Entries []struct{ Rank int }
		}
	}
	page := `query($after: String) { board(mode: "daily", first: 2, after: $after) { cursor entries { rank } } }`
	require.NoError(t, json.Unmarshal([]byte(s.Graphed(apitest.Asks(page))), &first))
	require.JSONEq(t, `{"board":{"cursor":null,"entries":[{"rank":3}]}}`, s.Graphed(apitest.AsksWith(page, map[string]any{"after": first.Board.Cursor})))

	require.JSONEq(t, `{"card":{"rank":2,"total":3,"percentile":66.67,"score":899,"details":{"n":1},"previousRank":null,"player":{"id":"user_b","name":null}},"nobody":null}`,
		s.Graphed(apitest.Asks(`{ card(mode: "daily", player: "user_b") { rank total percentile score details previousRank player { id name } } nobody: card(mode: "daily", player: "user_x") { rank } }`)))
	require.JSONEq(t, `{"players":[{"id":"user_a","name":"N0","card":{"rank":1}},{"id":"user_x","name":null,"card":null}]}`,
		s.Graphed(apitest.Asks(`{ players(ids: ["user_a", "user_x"]) { id name card(mode: "daily") { rank } } }`)))
}

func TestAGraphTellsPlayersWhatIsTheirs(t *testing.T) {
	s := apitest.NewStack(t)
	s.Keep()
	s.Want(http.StatusOK, apitest.Asked("user_b", "user_a", apitest.Post(apitest.RequestsPath+"/user_b/accept", ""))(s))
	s.Play("user_a", "daily", "500")
	s.Play("user_b", "daily", "400")
	address := s.Arrange("match1", "user_a", "user_b")
	s.Want(http.StatusOK, s.As("user_a", apitest.Get(apitest.Myself))) // the process learns that nobody has played on days that no closing has taken in
	require.JSONEq(t, `{"me":{"player":{"id":"user_a"},"standing":{"xp":500,"streak":{"current":1},"today":[{"mode":"daily","rank":1,"score":500}]}}}`,
		s.Graphed(s.As("user_a", apitest.Asks(`{ me { player { id } standing { xp streak { current } today { mode rank score } } } }`))))
	require.JSONEq(t, `{"me":{"friends":[{"player":{"id":"user_b","card":{"rank":1,"score":400}}}]}}`,
		s.Graphed(s.As("user_a", apitest.Asks(`{ me { friends { player { id card(mode: "daily") { rank score } } } } }`))))
	id := address[len("/v1/duels/"):]
	require.JSONEq(t, `{"me":{"duels":[{"id":"`+id+`","status":"ready","players":["user_a","user_b"],"winner":null}]}}`,
		s.Graphed(s.As("user_a", apitest.Asks(`{ me { duels { id status players winner } } }`))))
	s.Want(http.StatusOK, apitest.Post(address+"/result", apitest.Won).Signed())
	require.JSONEq(t, `{"duel":{"status":"decided","winner":"user_a"}}`,
		s.Graphed(s.As("user_b", apitest.AsksWith(`query($id: ID!) { duel(id: $id) { status winner } }`, map[string]any{"id": id}))))

	s.Want(http.StatusUnauthorized, apitest.Asks(`{ me { player { id } } }`)).Problem(t, "unauthenticated")
	s.Want(http.StatusUnauthorized, apitest.Asks(`{ me { player { id } } }`).Bearer("nonsense")).Problem(t, "unauthenticated")
	require.Equal(t, "forbidden", s.Ungraphed(apitest.Asks(`{ me { friends { player { id } } } }`).Bearer(s.Device().Token)).Extensions.Code)
}

func TestKeptQueriesAreForCaches(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "500")
	kept := apitest.KeptQuery("top.graphql", `{"mode":"daily","first":5}`)
	a := s.Want(http.StatusOK, kept)
	require.Contains(t, string(a.Body), `"entries":[{"rank":1,"score":500,"player":{"id":"user_a"`)
	page := s.Want(http.StatusOK, apitest.Get(apitest.Daily))
	require.Equal(t, page.Header.Get("Cache-Control"), a.Header.Get("Cache-Control"))
	require.Equal(t, page.Header.Get("CDN-Cache-Control"), a.Header.Get("CDN-Cache-Control"))
	s.Want(http.StatusNotModified, kept.With("If-None-Match", a.Header.Get("ETag")))

	own := s.Want(http.StatusOK, s.As("user_a", apitest.KeptQuery("top-and-week.graphql", `{"mode":"daily"}`)))
	require.Contains(t, string(own.Body), `"card":{"rank":1,"score":500}`)

	p := s.Want(http.StatusNotFound, apitest.Get(apitest.GraphPath+"?hash=00")).Problem(t, "not-found")
	require.Contains(t, p.Detail, "SHA-256")
	require.Contains(t, s.Want(http.StatusBadRequest, apitest.Get(apitest.GraphPath+"?query={me{player{id}}}")).Problem(t, "invalid-request").Detail, "hash")
	s.Want(http.StatusBadRequest, apitest.KeptQuery("top.graphql", `[]`)).Problem(t, "invalid-request")
	wrong := s.Want(http.StatusBadRequest, apitest.KeptQuery("top.graphql", `{}`))
	require.Equal(t, "no-store", wrong.Header.Get("Cache-Control"))
	require.Contains(t, string(wrong.Body), `"code":"invalid-request"`)
}

func TestAGraphWithoutRedisSaysWhatItCannotAnswer(t *testing.T) {
	s := apitest.NewStack(t)
	s.Play("user_a", "daily", "500")
	s.Handler = s.Process()
	s.FailRedis(apitest.RedisDown)
	s.Want(http.StatusServiceUnavailable, apitest.Asks(`{ board(mode: "daily") { total } }`)).Problem(t, "temporarily-unavailable")
	s.MendRedis()
	s.Graphed(apitest.Asks(`{ board(mode: "daily") { total } }`))
	s.FailRedis(apitest.RedisDown) // one is in memory, the other is not
	a := s.Want(http.StatusOK, apitest.Asks(`{ board(mode: "daily") { total } longest: board(mode: "longest") { total } }`))
	var got apitest.GraphAnswer
	a.Into(t, &got)
	require.JSONEq(t, `{"board":{"total":1},"longest":null}`, string(got.Data))
	require.Len(t, got.Errors, 1)
	require.Equal(t, "temporarily-unavailable", got.Errors[0].Extensions.Code)
	require.Equal(t, http.StatusServiceUnavailable, got.Errors[0].Extensions.Status)
	require.Positive(t, got.Errors[0].Extensions.RetryAfter)
	require.NotContains(t, string(a.Body), "redis", "nothing of the inside")
}

func graphScenarios() map[string]apitest.Scenario {
	kept := apitest.KeptQuery("top.graphql", `{"mode":"daily"}`)
	const cold = `{ board(mode: "coins", period: MONTH) { total } }`
	own := apitest.Asks(`{ me { player { id } } }`)
	return map[string]apitest.Scenario{
		"POST /graphql 200": {Call: apitest.Plain(apitest.Asks(`{ board(mode: "daily") { total } }`))},
		"POST /graphql 400": {Call: apitest.Plain(apitest.Post(apitest.GraphPath, `{"query":7}`)), Kind: "invalid-request"},
		"POST /graphql 401": {Call: apitest.Plain(own), Kind: "unauthenticated"},
		"POST /graphql 404": {Call: func(s *apitest.Stack) apitest.Call { s.Handler = s.WithoutGraph(); return own }, Kind: "not-found"},
		"POST /graphql 413": {Call: apitest.Plain(apitest.Asks(strings.Repeat(" ", 17<<10))), Kind: "too-large"},
		"POST /graphql 415": {Call: apitest.Plain(apitest.Asks("{a}").With("Content-Type", "application/graphql")), Kind: "unsupported-media-type"},
		"POST /graphql 429": {Call: apitest.From("192.0.2.31:1", apitest.Asks(`{ board(mode: "daily") { total } }`)), Kind: "rate-limited"},
		"POST /graphql 500": {Call: apitest.Plain(apitest.Asks(cold)), Fault: apitest.RefusedCommand, Kind: "internal"},
		"POST /graphql 503": {Call: apitest.Plain(apitest.Asks(cold)), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},

		"GET /graphql 200": {Call: apitest.Plain(kept)},
		"GET /graphql 304": {Call: apitest.Known(kept)},
		"GET /graphql 400": {Call: apitest.Plain(apitest.Get(apitest.GraphPath)), Kind: "invalid-request"},
		"GET /graphql 401": {Call: func(s *apitest.Stack) apitest.Call {
			s.Handler = s.WithoutGraph("{ me { player { id } } }")
			return apitest.Get(apitest.GraphPath + "?hash=" + engine.Hash("{ me { player { id } } }"))
		}, Kind: "unauthenticated"},
		"GET /graphql 404": {Call: apitest.Plain(apitest.Get(apitest.GraphPath + "?hash=0")), Kind: "not-found"},
		"GET /graphql 429": {Call: apitest.From("192.0.2.32:1", kept), Kind: "rate-limited"},
		"GET /graphql 500": {Call: apitest.Plain(apitest.KeptQuery("top.graphql", `{"mode":"coins","period":"MONTH"}`)), Fault: apitest.RefusedCommand, Kind: "internal"},
		"GET /graphql 503": {Call: apitest.Plain(apitest.KeptQuery("top.graphql", `{"mode":"coins","period":"MONTH"}`)), Fault: apitest.RedisDown, Kind: "temporarily-unavailable"},
	}
}

func TestEveryStatusOfGraphQLHappens(t *testing.T) { apitest.EachStatus(t, graphScenarios()) }
