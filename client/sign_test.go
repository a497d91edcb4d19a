package client_test

import (
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/client"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

// seen is what a server was sent.
type seen struct {
	request *http.Request
	body    []byte
}

func (s *seen) RoundTrip(r *http.Request) (*http.Response, error) {
	s.request, s.body = r, nil
	if r.Body != nil {
		s.body, _ = io.ReadAll(r.Body)
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}"))}, nil
}

func TestTheDocumentedVectorIsSignedAsDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/build/api.md")
	require.NoError(t, err)
	const (
		secret = "a-signing-key-of-32-or-more-characters"
		at     = 1795262400
		body   = `{"mode":"daily_frame","player":"user_ana","score":800}`
		want   = "be5def6e2b6336c0bbaaed3d761e00f916c3c9928bbd096afc3140fa1b285e53"
	)
	for _, part := range []string{secret, "1795262400", body, want} {
		require.Contains(t, string(page), part, "docs/build/api.md has another vector")
	}
	sent := &seen{}
	lb, err := client.New(client.Config{
		URL: "https://api.example.com", SigningKey: secret, Transport: sent, Now: func() time.Time { return time.Unix(at, 0) },
	})
	require.NoError(t, err)
	_, err = lb.Submit(t.Context(), client.Submission{Mode: "daily_frame", Player: "user_ana", Score: 800})
	require.Error(t, err, "{} is not what became of a score")
	require.Equal(t, body, string(sent.body))
	require.Equal(t, "t=1795262400,v2="+want, sent.request.Header.Get("Framedle-Signature"))
}

// What the client signs, the product's own check takes, and nothing else.
func TestSignaturesHoldBeforeTheProductsCheck(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[!-~]{32,64}`).Draw(t, "key")
		at := time.Unix(rapid.Int64Range(0, 1<<36).Draw(t, "time"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns"))
		body := []byte("{" + string(rapid.SliceOf(rapid.Byte()).Draw(t, "body")))
		path := rapid.SampledFrom([]string{"/v1/scores", "/v1/scores/batch", "/v1/duels", "/v1/duels/d:1/result"}).Draw(t, "path")
		old := rapid.Bool().Draw(t, "v1")
		sent := &seen{}
		lb, err := client.New(client.Config{
			URL: "https://api.example.com/stage" + rapid.SampledFrom([]string{"", "/", "/v1", "/v1/"}).Draw(t, "end"), SigningKey: secret, SignatureV1: old, Transport: sent, Now: func() time.Time { return at },
		})
		require.NoError(t, err)
		_, err = lb.Do(t.Context(), client.Request{Method: http.MethodPost, Path: path, Body: body})
		require.NoError(t, err)
		require.Equal(t, "/stage"+path, sent.request.URL.Path)

		signatures, err := auth.NewSignatures([]string{secret}, func() time.Time { return at })
		require.NoError(t, err)
		header := sent.request.Header.Get("Framedle-Signature")
		server, err := signatures.Verify(header, auth.Request{Method: http.MethodPost, Path: path, Body: sent.body})
		require.NoError(t, err)
		require.Equal(t, !old, server.Bound)
		_, err = signatures.Verify(header, auth.Request{Method: http.MethodPost, Path: path, Body: append(sent.body, ' ')})
		require.Error(t, err)
		if !old {
			_, err = signatures.Verify(header, auth.Request{Method: http.MethodPut, Path: path, Body: sent.body})
			require.Error(t, err)
		}
	})
}

// Public boards are asked for by nobody, so that caches may keep them; the operator's
// token goes nowhere but to the operator's routes and, beside a signature, with scores.
func TestCredentialsGoWhereTheyAreAskedForAlone(t *testing.T) {
	sent := &seen{}
	lb, err := client.New(client.Config{URL: "https://api.example.com", SigningKey: key, OpsToken: "ops", Transport: sent})
	require.NoError(t, err)
	for path, want := range map[string]struct{ signed, operator bool }{
		"/v1/leaderboards/daily_frame":        {},
		"/v1/leaderboards/daily_frame/lookup": {},
		"/v1/game":                            {},
		"/_local/secrets":                     {},
		"/v1/duels":                           {signed: true},
		"/v1/duels/d1":                        {signed: true},
		"/v1/scores":                          {signed: true, operator: true},
		"/v1/scores/batch":                    {signed: true, operator: true},
		"/v1/events":                          {signed: true},
		"/v1/ops/bans":                        {operator: true},
	} {
		_, err := lb.Do(t.Context(), client.Request{Method: http.MethodPost, Path: path, Body: []byte("{}")})
		require.NoError(t, err)
		require.Equal(t, want.signed, sent.request.Header.Get("Framedle-Signature") != "", path)
		require.Equal(t, want.operator, sent.request.Header.Get("Authorization") == "Bearer ops", path)
	}
}
