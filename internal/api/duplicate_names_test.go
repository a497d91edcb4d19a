package api_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/api"
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
			require.Contains(t, got[0].Detail, "more than once")
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

// Whatever an object holds, its members are told apart, and one that is there
// again is found: wherever it stands, and however it is written.
func TestRepeatedNamesAreFoundInAnyObject(t *testing.T) {
	value := rapid.SampledFrom([]string{`1`, `"a:{\\\""`, `":"`, `{"a":{"b":1}}`, `[{"a":1},{"a":2}]`, `null`, `{}`, `[]`, `"\\"`, `-1.5e3`})
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringOf(rapid.SampledFrom([]rune(`ab":{}[]\,é `))), 1, 6, rapid.ID).Draw(t, "names")
		again := rapid.IntRange(-1, len(names)-1).Draw(t, "again")
		write := func(name string) string {
			if rapid.Bool().Draw(t, "escaped") {
				var all strings.Builder
				for _, r := range name {
					all.WriteString(`\u` + strconv.FormatInt(0x10000+int64(r), 16)[1:])
				}
				return `"` + all.String() + `":` + value.Draw(t, "value")
			}
			quoted, err := json.Marshal(name)
			require.NoError(t, err)
			return string(quoted) + `:` + value.Draw(t, "value")
		}
		var parts []string
		for _, name := range names {
			parts = append(parts, write(name))
		}
		if again >= 0 {
			parts = append(parts, write(names[again]))
		}
		object := "{" + strings.Join(parts, rapid.SampledFrom([]string{",", " ,\n"}).Draw(t, "comma")) + "}"
		require.True(t, json.Valid([]byte(object)), object)
		require.Equal(t, len(parts), api.Members([]byte(object)), object)
		if again >= 0 {
			require.Equal(t, names[again], api.RepeatedName([]byte(object)), object)
		}
	})
}
