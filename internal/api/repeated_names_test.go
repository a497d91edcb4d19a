package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"testing"

	"github.com/stretchr/testify/require"
)

// A request says each thing once: which of two would count depends on who reads.
func TestANameThatIsThereTwiceIsRefused(t *testing.T) {
	s := apitest.NewStack(t)
	own := func(body string) apitest.Call { return s.As("user_a", apitest.Post(apitest.Scores, body)) }
	commands, _ := s.Spent(func() {
		for _, test := range []struct {
			call    apitest.Call
			pointer string
		}{
			{own(`{"mode":"daily","score":1,"score":1000}`), "/score"},
			{own(`{"score":1,"mode":"daily","sc\u006fre":1000}`), "/score"},
			{own(`{"mode":"daily","score":1,"nothing":1,"nothing":2}`), "/nothing"},
			{own(`{"mode":"daily","score":1,"a/b":1,"a/b":2}`), "/a~1b"},
			{own(`{"":1,"":2,"mode":"daily","score":1}`), ""},
			{own(`{"mode":"daily","score":1,"details":{"a":1,"a":2}}`), "/details/a"},
			{own(`{"mode":"daily","score":1,"details":[{"a":1},{"b":{"c":[[{"d":1 , "d":2}]]}}]}`), "/details/1/b/c/0/0/d"},
			{apitest.Post(apitest.Scores, `{"mode":"daily","score":1,"player":"user_a","player":"user_b"}`).Signed(), "/player"},
			{apitest.Post(apitest.Batch, `{"scores":[],"scores":[{"mode":"daily","score":1,"player":"user_a"}]}`).Signed(), "/scores"},
			{apitest.Post("/v1/leaderboards/daily/lookup", `{"players":["user_a"],"players":["user_b"]}`), "/players"},
			{apitest.Call{Method: "PATCH", Target: "/v1/me", Body: `{"name":"A","name":"B"}`}.Bearer(s.Token("user_a")), "/name"},
		} {
			got := s.Faults(test.call)
			require.Equal(t, test.pointer, got[0].Pointer, "%s", test.call.Body)
			require.Contains(t, got[0].Detail, "duplicate key")
		}
	})
	require.Zero(t, commands)
	require.Empty(t, s.Page(apitest.Daily).Entries)
}

func TestANameThatIsThereTwiceSpoilsNoOtherItemOfABatch(t *testing.T) {
	s := apitest.NewStack(t)
	results := s.Batch(apitest.Post(apitest.Batch, `{"scores":[{"mode":"daily","score":1,"score":2,"player":"user_a"},{"mode":"daily","score":3,"player":"user_b","details":{"a":{"x":1},"b":{"x":1}}}]}`).Signed())
	require.Equal(t, "/score", results.Results[0].Problem.Errors[0].Pointer)
	require.EqualValues(t, 3, results.Results[1].Score)
}
