package session_test

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth/internal/session"
)

func serve(t *testing.T, h http.HandlerFunc) (string, http.RoundTripper) {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // a client refuses its certificate on purpose
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL + "/jwks.json", s.Client().Transport
}

func TestASetIsFetchedOverHTTPS(t *testing.T) {
	address, transport := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != "/jwks.json" || r.Header.Get("Accept") != "application/json" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		_, _ = io.WriteString(w, keySet("a"))
	})
	source, err := session.FetchFrom(transport, address)
	require.NoError(t, err)
	c := session.NewKeys(session.KeysConfig{Source: source, Now: time.Now})
	found(t, c, "a")
	unknown(t, c, "b")
}

func TestBadAnswersAreNoKeySet(t *testing.T) {
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		says    string
	}{
		"404":   {http.NotFound, "answered 404"},
		"500":   {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, "answered 500"},
		"empty": {func(http.ResponseWriter, *http.Request) {}, "not JSON"},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/elsewhere" {
				_, _ = io.WriteString(w, keySet("a"))
				return
			}
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
		}, "answered 302"},
		"an endless answer": {func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, strings.Repeat(" ", 1<<10)); err != nil {
					return
				}
			}
		}, "longer than 64 KiB"},
		"a cut answer": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, keySet("a")[:100])
		}, "reading the key set"},
	} {
		t.Run(name, func(t *testing.T) {
			address, transport := serve(t, test.handler)
			source, err := session.FetchFrom(transport, address)
			require.NoError(t, err)
			c := session.NewKeys(session.KeysConfig{Source: source, Now: time.Now})
			_, err = c.Find(t.Context(), "a")
			require.ErrorContains(t, err, test.says)
		})
	}
}

func TestACertificateThatNobodyVouchesForIsRefused(t *testing.T) {
	address, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, keySet("a")) })
	source, err := session.FetchFrom(&http.Transport{}, address)
	require.NoError(t, err)
	_, err = source(t.Context())
	require.ErrorContains(t, err, "certificate")
}

func TestAFetchEndsWithItsContext(t *testing.T) {
	address, transport := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	source, err := session.FetchFrom(transport, address)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = source(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

func TestOnlyHTTPSURLsAreTaken(t *testing.T) {
	for _, address := range []string{
		"", "x", "http://clerk.example.com/jwks.json", "http://127.0.0.1/jwks.json", "file:///etc/keys", "https://", "https:///jwks.json",
		"https://u:p@clerk.example.com/", "https://clerk.example.com/#x", " https://clerk.example.com/", "https://clerk.example.com/\n",
	} {
		_, err := session.FetchFrom(nil, address)
		require.ErrorContains(t, err, "use https", address)
	}
	_, err := session.FetchFrom(nil, "https://api.clerk.com/v1/jwks")
	require.NoError(t, err)
}
