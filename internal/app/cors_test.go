package app_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/app"
)

func TestOnlyAllowedOriginsMayRead(t *testing.T) {
	h := app.WithCORS([]string{"https://game.example"}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
	}))
	for _, test := range []struct {
		method, origin, asks string
		status               int
		allowed              string
	}{
		{"GET", "https://game.example", "", http.StatusTeapot, "https://game.example"},
		{"GET", "https://other.example", "", http.StatusTeapot, ""},
		{"GET", "", "", http.StatusTeapot, ""},
		{"OPTIONS", "https://game.example", "POST", http.StatusNoContent, "https://game.example"},
		{"OPTIONS", "https://other.example", "POST", http.StatusNoContent, ""},
		{"OPTIONS", "https://game.example", "", http.StatusTeapot, "https://game.example"},
	} {
		r := httptest.NewRequest(test.method, "/v1/scores", nil)
		r.Header.Set("Origin", test.origin)
		r.Header.Set("Access-Control-Request-Method", test.asks)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Equal(t, test.status, w.Code, "%+v", test)
		require.Equal(t, test.allowed, w.Header().Get("Access-Control-Allow-Origin"), "%+v", test)
		require.Equal(t, test.origin != "", w.Header().Get("Vary") == "Origin", "caches keep origins apart")
	}
}

func TestWithoutOriginsNothingIsAdded(t *testing.T) {
	h := app.WithCORS(nil, http.NotFoundHandler())
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Origin", "https://game.example")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	require.Empty(t, w.Header().Get("Vary"))
}
