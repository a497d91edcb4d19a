package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryFaultHasAPointerToItsPlace(t *testing.T) {
	s := newStack(t)
	player := func(body string) call { return s.as("user_a", post(scores, body)) }
	for name, test := range map[string]struct {
		call     call
		pointers []string
	}{
		"the whole body":             {player(`[]`), []string{""}},
		"missing fields":             {player(`{}`), []string{"/mode", "/score"}},
		"several at once":            {player(`{"mode":7,"score":"1","date":"x","country":"br"}`), []string{"/mode", "/score", "/date", "/country"}},
		"an unknown field":           {player(`{"mode":"daily","score":1,"b":1,"a":1}`), []string{"/a", "/b"}},
		"a name that needs escaping": {player(`{"mode":"daily","score":1,"a/b~c":1}`), []string{"/a~1b~0c"}},
		"an item of an array":        {player(`{"mode":"daily","score":1,"groups":["ok","not ok"]}`), []string{"/groups/1"}},
		"an item that is no string":  {player(`{"mode":"daily","score":1,"groups":["ok",null]}`), []string{"/groups/1"}},
		"a player looked up":         {post(lookup, `{"players":["a","b","c d"]}`), []string{"/players/2"}},
		"a query parameter":          {get(daily + "?limit=0&period=x&foo=1"), []string{"?period", "?limit", "?foo"}},
		"a path parameter":           {get(daily + "/players/a%20b?range=1"), []string{"{player}", "?range"}},
		"a query that is none":       {get(daily + "?%zz"), []string{"?"}},
		"played_at and more":         {post(scores, `{"mode":"daily","score":1,"player":"a","date":"x","played_at":"y"}`).imported(), []string{"/date", "/played_at"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := s.on(t).want(http.StatusBadRequest, test.call).problem(t, "invalid-request")
			var pointers []string
			for _, e := range p.Errors {
				pointers = append(pointers, e.Pointer)
				require.NotEmpty(t, e.Detail)
			}
			require.Equal(t, test.pointers, pointers)
			require.True(t, strings.HasPrefix(p.Detail, test.pointers[0]), p.Detail)
		})
	}
}

func TestAFaultOfBoundsPointsToTheScore(t *testing.T) {
	s := newStack(t)
	p := s.want(http.StatusUnprocessableEntity, s.as("user_a", post(scores, `{"mode":"daily","score":1001}`))).problem(t, "score-out-of-bounds")
	require.Equal(t, "/score", p.Errors[0].Pointer)
	require.Contains(t, p.Detail, "use 0 to 1000")
}

func TestManyFaultsAreToldInPart(t *testing.T) {
	s := newStack(t)
	var fields, parameters strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&fields, `,"f%d":1`, i)
		fmt.Fprintf(&parameters, "&q%d=1", i)
	}
	for _, c := range []call{post(lookup, `{"players":["a"]`+fields.String()+"}"), get(daily + "?" + parameters.String())} {
		a := s.want(http.StatusBadRequest, c)
		require.Len(t, a.problem(t, "invalid-request").Errors, 16)
		require.Less(t, len(a.body), 4096)
	}
}

func TestAllowTellsTheMethods(t *testing.T) {
	s := newStack(t)
	for target, allow := range map[string]string{
		scores: "POST", batch: "POST", lookup: "POST", daily: "GET, HEAD", card: "GET, HEAD", around: "GET, HEAD", "/openapi.yaml": "GET, HEAD",
	} {
		a := s.want(http.StatusMethodNotAllowed, call{method: http.MethodDelete, target: target})
		require.Equal(t, allow, a.header.Get("Allow"), target)
		require.Contains(t, a.problem(t, "method-not-allowed").Detail, allow)
	}
}

// Faults of the body as such come first, then those of the caller, then all others.
func TestTheBodyComesBeforeTheCallerAndTheCallerBeforeTheRest(t *testing.T) {
	s := newStack(t)
	large := strings.Repeat("x", 1<<20+1)
	nowhere := "/v1/leaderboards/nothing/lookup?foo=1"
	for _, step := range []struct {
		call   call
		status int
	}{
		{post(scores, large).with("Content-Type", "text/plain"), 415},
		{post(scores, large), 413}, {post(batch, large), 413}, {post(nowhere, large), 413},
		{post(scores, "\xff"), 400}, {post(nowhere, "\xff"), 400},
		{post(scores, `{`), 401}, {post(batch, `{`), 401}, {get("/v1/leaderboards/nothing/around/me?foo=1"), 401},
		{s.as("user_a", post(batch, `{`)), 403}, {post(nowhere, `{`), 404}, {get("/v1/leaderboards/nothing?foo=1"), 404},
		{s.as("user_a", post(scores, `{"mode":"nothing"}`)), 400}, {s.as("user_a", post(scores, `{"mode":"nothing","score":1,"player":"a"}`)), 404},
		{s.as("user_a", post(scores, `{"mode":"judged","score":999}`)), 403}, {s.as("user_a", post(scores, `{"mode":"daily","score":1001,"date":"2025-01-01"}`)), 422},
	} {
		s.want(step.status, step.call)
	}
}

func TestARouteOfAnotherFunctionIsNotHere(t *testing.T) {
	s := newStack(t)
	s.handler = s.alone("submit")
	s.want(http.StatusNotFound, get(daily)).problem(t, "not-found")
	require.Equal(t, "GET, HEAD", s.want(http.StatusMethodNotAllowed, call{method: http.MethodPut, target: daily}).header.Get("Allow"))
}
