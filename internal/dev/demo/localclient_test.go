package demo_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/demo"
)

func serve(t *testing.T, handler http.HandlerFunc) *demo.Client {
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	c, err := demo.NewClient(server.URL)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func TestALocalProductIsAskedAndMoved(t *testing.T) {
	var clock string
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch r.Method + " " + r.URL.Path {
		case "GET /_local/secrets":
			_, _ = io.WriteString(w, `{"signing_key":"k","ops_token":"o","redis_rest_url":"u"}`)
		case "GET /_local/usage":
			_, _ = io.WriteString(w, `{"commands":5,"round_trips":2,"by_function":{"submit":{"commands":4,"round_trips":1}}}`)
		case "PUT /_local/clock":
			clock = string(body)
		}
	})
	secrets, err := c.Secrets(t.Context())
	require.NoError(t, err)
	require.Equal(t, demo.Secrets{SigningKey: "k", OpsToken: "o", RedisURL: "u"}, secrets)
	usage, err := c.Usage(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 4, usage.ByFunction["submit"].Commands)
	require.NoError(t, c.SetClock(t.Context(), time.Date(2022, 2, 2, 1, 2, 3, 4000, time.UTC)))
	require.JSONEq(t, `{"now":"2022-02-02T01:02:03.000004Z"}`, clock)
	require.NoError(t, c.SetClock(t.Context(), time.Time{}))
	require.JSONEq(t, `{"now":null}`, clock)
}

func TestAProductThatIsNotLocalSaysSo(t *testing.T) {
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		says    string
	}{
		"no such route": {http.NotFound, "only a product started by cmd/local"},
		"refused":       {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no\n", http.StatusForbidden) }, "status 403, no"},
		"another page":  {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }, "not what a local product gives"},
		"no secrets":    {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") }, "gives no signing_key"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := serve(t, test.handler).Secrets(t.Context())
			require.ErrorContains(t, err, test.says)
		})
	}
}

func TestOnlyLoopbackAddressesAreOfThisMachine(t *testing.T) {
	for address, want := range map[string]bool{
		"http://127.0.0.1:8080": true, "http://localhost": true, "http://[::1]:80": true,
		"http://10.0.0.1": false, "https://localhost.example.com": false, "": false, "://": false,
	} {
		require.Equal(t, want, demo.OnThisMachine(address), address)
	}
}
