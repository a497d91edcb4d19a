package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// bad is a request that must be refused.
type bad struct {
	apitest.Call
	status int
	kind   string // of the problem
}

// refused makes bad requests of one kind of fault.
func refused(status int, kind string, calls ...apitest.Call) []bad {
	all := make([]bad, len(calls))
	for i, c := range calls {
		all[i] = bad{c, status, kind}
	}
	return all
}

func invalid(calls ...apitest.Call) []bad {
	return refused(http.StatusBadRequest, "invalid-request", calls...)
}

func quotedAll(texts []string) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = apitest.Quoted(text)
	}
	return all
}

// A thousand bad requests: each gets the documented problem, and none costs a
// single command.
func TestBadRequests(t *testing.T) {
	s := apitest.NewStack(t)
	topics := map[string]func(*apitest.Stack) []bad{
		"bodies": badBodies, "fields": badFields, "numbers": badNumbers, "ids": badIDs, "modes": badModes, "dates": badDates,
		"scopes": badScopes, "sizes": badSizes, "media types": badMediaTypes, "keys": badKeys, "rights": badRights,
		"tokens": badTokens, "signatures": badSignatures, "operators": badOperators,
		"methods": badMethods, "paths": badPaths, "queries": badQueries, "cursors": badCursors,
	}
	// Whether a player belongs to a group that the token does not tell of is
	// looked up once a minute.
	for _, player := range []string{"user_a", "user_m"} {
		s.Want(http.StatusForbidden, s.As(player, apitest.Post(apitest.Scores, `{"mode":"daily","score":1,"groups":["other"]}`)))
	}
	ran, exchanged := s.Redis.Ran(), s.Exchanges.Load()
	seen := map[[sha256.Size]byte]string{}
	held := map[string]bool{} // compiling schemas takes time: one of each sort is held against the document
	commands, roundTrips := s.Spent(func() {
		for _, topic := range slices.Sorted(maps.Keys(topics)) {
			t.Run(topic, func(t *testing.T) {
				s := s.On(t)
				for i, b := range topics[topic](s) {
					id := sha256.Sum256(fmt.Appendf(nil, "%s %s %q %v %v %s", b.Method, b.Target, b.Header, b.Sign, b.Sent, b.Body))
					require.NotContains(t, seen, id, "%s %d is the same as %s: %s %s %.200s", topic, i, seen[id], b.Method, b.Target, b.Body)
					seen[id] = fmt.Sprint(topic, " ", i)
					a := s.Send(b.Call)
					require.Equal(t, b.status, a.Status, "%s %.200s %.200q\n%s", b.Method, b.Target, b.Body, a.Body)
					p := a.Problem(t, b.kind)
					if sort := fmt.Sprint(topic, b.Method, b.status, len(p.Errors), len(p.OpenDates)); !held[sort] {
						held[sort] = true
						s.Hold(a)
					}
				}
			})
		}
	})
	require.GreaterOrEqual(t, len(seen), 1000)
	require.Zero(t, commands, "billed commands")
	require.Zero(t, roundTrips, "round trips")
	require.Equal(t, exchanged, s.Exchanges.Load(), "requests that the Redis server saw")
	require.Equal(t, ran, s.Redis.Ran(), "commands that Redis ran")
}

// In a batch each score is refused on its own, at no cost either.
func TestBadScoresInABatch(t *testing.T) {
	s := apitest.NewStack(t)
	items := []struct {
		item   string
		status int
		kind   string
	}{
		{`null`, 400, "invalid-request"},
		{`1`, 400, "invalid-request"},
		{`"daily"`, 400, "invalid-request"},
		{`[]`, 400, "invalid-request"},
		{`{}`, 400, "invalid-request"},
		{`{"mode":"daily","score":1}`, 400, "invalid-request"},
		{`{"mode":"daily","player":"a b","score":1}`, 400, "invalid-request"},
		{`{"mode":"daily","player":"a","score":"1"}`, 400, "invalid-request"},
		{`{"mode":"daily","player":"a","score":1e400}`, 400, "invalid-request"},
		{`{"mode":"daily","player":"a","score":1,"hat":1}`, 400, "invalid-request"},
		{`{"mode":"daily","player":"a","score":1,"date":"2026-02-30"}`, 400, "invalid-request"},
		{`{"mode":"daily","player":"a","score":1,"played_at":"2026-11-18T10:00:00Z"}`, 400, "invalid-request"},
		{`{"mode":"coins","player":"a","score":1}`, 400, "invalid-request"},
		{`{"mode":"nothing","player":"a","score":1}`, 404, "unknown-mode"},
		{`{"mode":"daily","player":"a","score":1001}`, 422, "score-out-of-bounds"},
		{`{"mode":"daily","player":"a","score":1,"date":"` + apitest.Yesterday + `"}`, 422, "date-closed"},
	}
	texts := make([]json.RawMessage, len(items))
	for i, item := range items {
		texts[i] = json.RawMessage(item.item)
	}
	body, err := json.Marshal(map[string]any{"scores": texts})
	require.NoError(t, err)
	var result apitest.BatchBody
	commands, roundTrips := s.Spent(func() { s.Want(http.StatusOK, apitest.Post(apitest.Batch, string(body)).Signed()).Into(t, &result) })
	require.Zero(t, commands)
	require.Zero(t, roundTrips)
	require.Len(t, result.Results, len(items))
	for i, item := range items {
		p := result.Results[i].Problem
		require.NotNil(t, p, item.item)
		require.Equal(t, item.status, p.Status, item.item)
		require.Contains(t, p.Type, "#"+item.kind, item.item)
		require.NotEmpty(t, p.Instance, item.item)
	}
}
