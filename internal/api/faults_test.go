package api_test

import (
	"github.com/framedle/leaderboards/internal/dev/apitest"

	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryFaultHasAPointerToItsPlace(t *testing.T) {
	s := apitest.NewStack(t)
	player := func(body string) apitest.Call { return s.As("user_a", apitest.Post(apitest.Scores, body)) }
	for name, test := range map[string]struct {
		call     apitest.Call
		pointers []string
	}{
		"the whole body":             {player(`[]`), []string{""}},
		"missing fields":             {player(`{}`), []string{"/mode", "/score"}},
		"several at once":            {player(`{"mode":7,"score":"1","date":"x","country":"br"}`), []string{"/mode", "/score", "/date", "/country"}},
		"an unknown field":           {player(`{"mode":"daily","score":1,"b":1,"a":1}`), []string{"/a", "/b"}},
		"a name that needs escaping": {player(`{"mode":"daily","score":1,"a/b~c":1}`), []string{"/a~1b~0c"}},
		"an item of an array":        {player(`{"mode":"daily","score":1,"groups":["ok","not ok"]}`), []string{"/groups/1"}},
		"an item that is no string":  {player(`{"mode":"daily","score":1,"groups":["ok",null]}`), []string{"/groups/1"}},
		"a player looked up":         {apitest.Post(apitest.Lookup, `{"players":["a","b","c d"]}`), []string{"/players/2"}},
		"a query parameter":          {apitest.Get(apitest.Daily + "?limit=0&period=x&foo=1"), []string{"?period", "?limit", "?foo"}},
		"a path parameter":           {apitest.Get(apitest.Daily + "/players/a%20b?range=1"), []string{"{player}", "?range"}},
		"a query that is none":       {apitest.Get(apitest.Daily + "?%zz"), []string{"?"}},
		"played_at and more":         {apitest.Post(apitest.Scores, `{"mode":"daily","score":1,"player":"a","date":"x","played_at":"y"}`).Imported(), []string{"/date", "/played_at"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := s.On(t).Want(http.StatusBadRequest, test.call).Problem(t, "invalid-request")
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
	s := apitest.NewStack(t)
	p := s.Want(http.StatusUnprocessableEntity, s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"daily","score":1001}`))).Problem(t, "score-out-of-bounds")
	require.Equal(t, "/score", p.Errors[0].Pointer)
	require.Contains(t, p.Detail, "use 0 to 1000")
}

func TestManyFaultsAreToldInPart(t *testing.T) {
	s := apitest.NewStack(t)
	var fields, parameters strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&fields, `,"f%d":1`, i)
		fmt.Fprintf(&parameters, "&q%d=1", i)
	}
	for _, c := range []apitest.Call{apitest.Post(apitest.Lookup, `{"players":["a"]`+fields.String()+"}"), apitest.Get(apitest.Daily + "?" + parameters.String())} {
		a := s.Want(http.StatusBadRequest, c)
		require.Len(t, a.Problem(t, "invalid-request").Errors, 16)
		require.Less(t, len(a.Body), 4096)
	}
}

func TestAllowTellsTheMethods(t *testing.T) {
	s := apitest.NewStack(t)
	for target, allow := range map[string]string{
		apitest.Scores: "POST", apitest.Batch: "POST", apitest.Lookup: "POST", apitest.Daily: "GET, HEAD", apitest.Card: "GET, HEAD", around: "GET, HEAD", "/openapi.yaml": "GET, HEAD",
	} {
		a := s.Want(http.StatusMethodNotAllowed, apitest.Call{Method: http.MethodDelete, Target: target})
		require.Equal(t, allow, a.Header.Get("Allow"), target)
		require.Contains(t, a.Problem(t, "method-not-allowed").Detail, allow)
	}
}

// Faults of the body as such come first, then those of the caller, then all others.
func TestTheBodyComesBeforeTheCallerAndTheCallerBeforeTheRest(t *testing.T) {
	s := apitest.NewStack(t)
	large := strings.Repeat("x", 1<<20+1)
	nowhere := "/v1/leaderboards/nothing/lookup?foo=1"
	for _, step := range []struct {
		call   apitest.Call
		status int
	}{
		{apitest.Post(apitest.Scores, large).With("Content-Type", "text/plain"), 415},
		{apitest.Post(apitest.Scores, large), 413}, {apitest.Post(apitest.Batch, large), 413}, {apitest.Post(nowhere, large), 413},
		{apitest.Post(apitest.Scores, "\xff"), 400}, {apitest.Post(nowhere, "\xff"), 400},
		{apitest.Post(apitest.Scores, `{`), 401}, {apitest.Post(apitest.Batch, `{`), 401}, {apitest.Get("/v1/leaderboards/nothing/around/me?foo=1"), 401},
		{s.As("user_a", apitest.Post(apitest.Batch, `{`)), 403}, {apitest.Post(nowhere, `{`), 404}, {apitest.Get("/v1/leaderboards/nothing?foo=1"), 404},
		{s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"nothing"}`)), 400}, {s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"nothing","score":1,"player":"a"}`)), 404},
		{s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"judged","score":999}`)), 403}, {s.As("user_a", apitest.Post(apitest.Scores, `{"mode":"daily","score":1001,"date":"2025-01-01"}`)), 422},
	} {
		s.Want(step.status, step.call)
	}
}

func TestARouteOfAnotherFunctionIsNotHere(t *testing.T) {
	s := apitest.NewStack(t)
	s.Handler = s.Alone("submit")
	s.Want(http.StatusNotFound, apitest.Get(apitest.Daily)).Problem(t, "not-found")
	require.Equal(t, "GET, HEAD", s.Want(http.StatusMethodNotAllowed, apitest.Call{Method: http.MethodPut, Target: apitest.Daily}).Header.Get("Allow"))
}
