package api_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// fault is what a 400 says of one field.
type fault struct{ Pointer, Detail string }

func (s *stack) faults(c call) (all []fault) {
	s.Helper()
	var body struct{ Errors []fault }
	require.NoError(s, json.Unmarshal(s.want(http.StatusBadRequest, c).body, &body))
	return body.Errors
}

// A request says each thing once: which of two would count depends on who reads.
func TestANameThatIsThereTwiceIsRefused(t *testing.T) {
	s := newStack(t)
	own := func(body string) call { return s.as("user_a", post(scores, body)) }
	commands, _ := s.spent(func() {
		for _, test := range []struct {
			call    call
			pointer string
		}{
			{own(`{"mode":"daily","score":1,"score":1000}`), "/score"},
			{own(`{"score":1,"mode":"daily","sc\u006fre":1000}`), "/score"},
			{own(`{"mode":"daily","score":1,"nothing":1,"nothing":2}`), "/nothing"},
			{own(`{"mode":"daily","score":1,"a/b":1,"a/b":2}`), "/a~1b"},
			{own(`{"":1,"":2,"mode":"daily","score":1}`), ""},
			{own(`{"mode":"daily","score":1,"details":{"a":1,"a":2}}`), "/details/a"},
			{own(`{"mode":"daily","score":1,"details":[{"a":1},{"b":{"c":[[{"d":1 , "d":2}]]}}]}`), "/details/1/b/c/0/0/d"},
			{post(scores, `{"mode":"daily","score":1,"player":"user_a","player":"user_b"}`).signed(), "/player"},
			{post(batch, `{"scores":[],"scores":[{"mode":"daily","score":1,"player":"user_a"}]}`).signed(), "/scores"},
			{post("/v1/leaderboards/daily/lookup", `{"players":["user_a"],"players":["user_b"]}`), "/players"},
			{post(duelsPath, `{"players":["user_a","user_b"],"id":"d1","id":"d2"}`).signed(), "/id"},
			{s.as("user_a", post(duelsPath+"/d1/result", `{"winner":"user_a","winner":"user_b"}`)), "/winner"},
			{call{method: "PATCH", target: "/v1/me", body: `{"name":"A","name":"B"}`}.bearer(s.token("user_a")), "/name"},
		} {
			got := s.faults(test.call)
			require.Equal(t, test.pointer, got[0].Pointer, "%s", test.call.body)
			require.Contains(t, got[0].Detail, "duplicate key")
		}
	})
	require.Zero(t, commands)
	require.Empty(t, s.page(daily).Entries)
}

func TestANameThatIsThereTwiceSpoilsNoOtherItemOfABatch(t *testing.T) {
	s := newStack(t)
	results := s.batch(post(batch, `{"scores":[{"mode":"daily","score":1,"score":2,"player":"user_a"},{"mode":"daily","score":3,"player":"user_b","details":{"a":{"x":1},"b":{"x":1}}}]}`).signed())
	require.Equal(t, "/score", results.Results[0].Problem.Errors[0].Pointer)
	require.EqualValues(t, 3, results.Results[1].Score)
}
