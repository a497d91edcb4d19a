package app

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatComesPastTheNetworkInFrontIsRefused(t *testing.T) {
	one, two := strings.Repeat("a", 32), strings.Repeat("b", 40)
	o, err := newOrigin([]string{one, two})
	require.NoError(t, err)
	reached := 0
	h := o.handler(WithCORS([]string{"*"}, func(*http.Request) []string { return []string{http.MethodGet} }, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		reached++
		require.Empty(t, r.Header.Get(OriginHeader), "nothing further in learns it")
	})))
	ask := func(method, path, secret string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, path, nil)
		r.Header.Set("X-Forwarded-For", "127.0.0.1, 198.51.100.1")
		if secret != "" {
			r.Header.Set(OriginHeader, secret)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	for _, secret := range []string{one, two} {
		require.Equal(t, http.StatusOK, ask("GET", "/v1/leaderboards/daily", secret).Code)
	}
	require.Equal(t, http.StatusOK, ask("GET", "/metrics", "").Code, "it has a token of its own")
	require.Equal(t, 3, reached)
	for _, wrong := range []string{"", "a", one + "a", one[1:], one + "," + two} {
		for _, method := range []string{"GET", "POST", "OPTIONS"} {
			w := ask(method, "/v1/leaderboards/daily", wrong)
			require.Equal(t, http.StatusForbidden, w.Code)
			require.Contains(t, w.Body.String(), "#forbidden")
			require.Equal(t, "application/problem+json", w.Header().Get("Content-Type"))
		}
	}
	require.Equal(t, 3, reached)
}

func TestWithoutASecretNothingIsRefused(t *testing.T) {
	o, err := newOrigin(nil)
	require.NoError(t, err)
	w := httptest.NewRecorder()
	o.handler(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
	require.Equal(t, http.StatusNotFound, w.Code)
}

func TestAShortSecretKeepsAFunctionFromStarting(t *testing.T) {
	_, err := FromEnv(t.Context(), func(name string) string {
		return map[string]string{"ORIGIN_SECRET": strings.Repeat("a", 32) + ",short", "UPSTASH_REDIS_REST_URL": "http://127.0.0.1:1", "UPSTASH_REDIS_REST_TOKEN": "t"}[name]
	}, slog.New(slog.DiscardHandler), Linked{})
	require.ErrorContains(t, err, "ORIGIN_SECRET has a secret of 5 characters: use at least 32")
	require.NotContains(t, err.Error(), "short")
}
