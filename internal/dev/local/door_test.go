package local_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// knock sends a request as a browser would, with a Host and an Origin.
func (c *client) knock(method, path, host, origin string) *http.Response {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, strings.NewReader(""))
	require.NoError(c.t, err)
	if host != "" {
		r.Host = host
	}
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	if method == http.MethodOptions {
		r.Header.Set("Access-Control-Request-Method", "POST")
	}
	res, err := http.DefaultClient.Do(r)
	require.NoError(c.t, err)
	c.t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

var controls = [][2]string{
	{"GET", "/_local/secrets"}, {"POST", "/_local/token"}, {"PUT", "/_local/clock"}, {"POST", "/_local/schedules/cron-daily"},
	{"GET", "/_local/usage"}, {"DELETE", "/_local/usage"}, {"GET", "/_local/queue"}, {"OPTIONS", "/_local/token"},
	{"GET", "/%5Flocal/secrets"}, {"GET", "/_local/nothing"}, {"GET", "/_local"},
}

func TestTheControlEndpointsAnswerNoOtherSite(t *testing.T) {
	c, p := start(t)
	for name, from := range map[string]struct{ host, origin string }{
		"a page of another site":              {"", "https://evil.example"},
		"a page of another host on this port": {"", "http://evil.example:8080"},
		"a sandboxed page":                    {"", "null"},
		"a name made to resolve to here":      {"evil.example:8080", ""},
		"the same with a page":                {"evil.example:8080", "http://evil.example:8080"},
		"a name that begins like localhost":   {"localhost.evil.example", ""},
		"a name that ends almost like it":     {"evillocalhost", ""},
		"an address in the name":              {"127.0.0.1.evil.example", ""},
		"another machine's address":           {"192.168.1.1:8080", ""},
		"all addresses":                       {"0.0.0.0:8080", ""},
		"no origin that is a URL":             {"", "://"},
		"an origin with a user":               {"", "http://localhost@evil.example"},
	} {
		for _, control := range controls {
			res := c.knock(control[0], control[1], from.host, from.origin)
			require.Equal(t, 403, res.StatusCode, "%s: %v", name, control)
			require.Equal(t, "application/problem+json", res.Header.Get("Content-Type"))
			require.Empty(t, res.Header.Get("Access-Control-Allow-Origin"), name)
			var problem struct{ Detail string }
			require.NoError(t, json.NewDecoder(res.Body).Decode(&problem))
			require.NotEmpty(t, problem.Detail)
		}
	}
	status, secrets := c.do("GET", "/_local/secrets", "", map[string]string{"Origin": "https://evil.example"})
	require.Equal(t, 403, status)
	require.NotContains(t, secrets, "signing_key")
	require.Equal(t, 200, c.knock("GET", "/v1/leaderboards/daily_frame", "game.example", "https://game.example").StatusCode, "the API itself is open to all")
	require.NotEmpty(t, p.Secrets.SigningKey)
}

func TestTheControlEndpointsAnswerThisMachine(t *testing.T) {
	c, _ := start(t)
	for name, from := range map[string]struct{ host, origin string }{
		"a tool":                        {"", ""},
		"localhost":                     {"localhost", ""},
		"localhost behind another port": {"localhost:3000", "http://localhost:3000"},
		"in capitals":                   {"LOCALHOST:3000", ""},
		"a page on another port":        {"", "http://localhost:5173"},
		"a page on the address":         {"", "http://127.0.0.1:3000"},
		"the sixth version":             {"[::1]:8080", "http://[::1]:3000"},
		"the sixth version, no port":    {"[::1]", ""},
		"a name of one's own":           {"game.localhost:8080", "https://game.localhost"},
	} {
		require.Equal(t, 200, c.knock("GET", "/_local/secrets", from.host, from.origin).StatusCode, name)
	}
	preflight := c.knock("OPTIONS", "/_local/token", "", "http://localhost:5173")
	require.Equal(t, 204, preflight.StatusCode)
	require.Contains(t, preflight.Header.Get("Access-Control-Allow-Methods"), "POST")
	require.Equal(t, "*", preflight.Header.Get("Access-Control-Allow-Origin"))
}
