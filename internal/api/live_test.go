package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// If no process streams, callers are sent to one that does, or told what to read instead.
// Faults of the request are reported all the same.
func TestWhereNothingIsStreamedCallersAreSentElsewhere(t *testing.T) {
	s := newStack(t)
	s.lambda = true
	s.handler = s.process()
	a := s.do(get(liveDaily))
	require.Equal(t, http.StatusNotImplemented, a.status)
	require.Contains(t, string(a.body), `"code":"no-live-boards"`)
	require.Equal(t, http.StatusNotFound, s.do(get("/v1/live/nothing")).status)
	duel := s.as("user_a", watchDuel("/abc"))
	require.Equal(t, http.StatusNotImplemented, s.do(duel).status)

	s.elsewhere = "https://live.example.com"
	s.handler = s.process()
	a = s.do(get(liveDaily + "?period=week&limit=10"))
	require.Equal(t, http.StatusTemporaryRedirect, a.status)
	require.Equal(t, "https://live.example.com/v1/live/daily?period=week&limit=10", a.header.Get("Location"))
	a = s.do(duel)
	require.Equal(t, http.StatusTemporaryRedirect, a.status)
	require.Equal(t, "https://live.example.com/v1/live/duels/abc", a.header.Get("Location"))
	require.Equal(t, http.StatusUnauthorized, s.do(watchDuel("/abc")).status)
	require.Equal(t, http.StatusBadRequest, s.do(get(liveDaily+"?limit=0")).status)
}

// watchDuel watches the duel that a path ends with.
func watchDuel(path string) call {
	return get("/v1/live/duels" + path[strings.LastIndexByte(path, '/'):])
}
