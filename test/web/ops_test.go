package web_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/dev/npmtest"
	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/internal/platform/auth/devissuer"
	"github.com/framedle/leaderboards/internal/product/app"
)

// spent is what the operator's page has to show, in billed commands.
type spent struct {
	All        int64            `json:"all"`
	ByFunction map[string]int64 `json:"by_function"`
	ByRoute    map[string]int64 `json:"by_route"`
	Calls      map[string]int64 `json:"calls"`
}

// A product is played and ends, so that its processes have told of everything; the
// page is opened on another one over the same Redis and the same database. What it
// shows is what Redis itself has counted.
func TestTheOperatorsPage(t *testing.T) {
	require.NoError(t, npmtest.Install(t.Context(), "."))
	browser, err := npmtest.Chromium()
	require.NoError(t, err)
	engine, err := redisd.Start(t.Context(), redisd.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = engine.Stop() })
	database := archivetest.Database(t)
	noon := time.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour) // no test ends on another day than it began
	want, err := json.Marshal(played(t, counting(t, noon, local.Options{Redis: engine.URL(), DatabaseURL: database})))
	require.NoError(t, err)
	p := counting(t, noon, local.Options{Redis: engine.URL(), DatabaseURL: database, Queue: true})
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	npmtest.Run(t, npmtest.Suite{Folder: "ops", Files: []string{"ops.test.mjs"}, Timeout: hung, Env: []string{
		"CHROMIUM=" + browser, "PRODUCT_URL=" + p.URL, "OPS_TOKEN=" + p.Secrets.OpsToken, "SPENT=" + string(want),
	}})
}

// counting is a product that counts what its days cost.
func counting(t *testing.T, now time.Time, o local.Options) *local.Product {
	t.Helper()
	g, err := app.LoadGame("")
	require.NoError(t, err)
	o.Addr, o.Game, o.Counters, o.Log = "127.0.0.1:0", g, true, io.Discard
	p, err := local.Start(t.Context(), o)
	require.NoError(t, err)
	p.Clock.Set(now)
	return p
}

// played plays on a product and ends it. Each function spends 20 commands or more, so
// that its counters are written at the end, and fewer than 100, so that they are
// written once: that write is the one command which nobody tells of.
func played(t *testing.T, p *local.Product) spent {
	t.Helper()
	did := spent{ByFunction: map[string]int64{}, ByRoute: map[string]int64{}, Calls: map[string]int64{}}
	call := func(function, route, method, path, body, token string) {
		r, err := http.NewRequestWithContext(t.Context(), method, p.URL+path, strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		before := ran(t, p)
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Less(t, response.StatusCode, 300, "%s %s", method, path)
		commands := ran(t, p) - before
		did.All += commands
		did.ByFunction[function] += commands
		did.ByRoute[route] += commands
		did.Calls[route]++
	}
	for i := range 20 {
		name := fmt.Sprintf("Player %d", i)
		if i == 3 {
			name = `<img src=x onerror="document.title='owned'">`
		}
		token, err := p.Token(devissuer.Claims{Player: fmt.Sprintf("user_%d", i), Name: name})
		require.NoError(t, err)
		call("submit", "POST /v1/scores", "POST", "/v1/scores", `{"mode":"daily_frame","score":800}`, token)
		call("leaderboard", "GET /v1/leaderboards/{mode}", "GET", fmt.Sprintf("/v1/leaderboards/daily_frame?limit=5&offset=%d", i+1), "", "")
		if i < 2 {
			call("me", "GET /v1/me", "GET", "/v1/me", "", token)
		}
	}
	for function, commands := range did.ByFunction {
		require.GreaterOrEqual(t, commands, int64(20), function)
		require.Less(t, commands, int64(100), function)
		require.Equal(t, p.Usage().ByFunction[function].Commands, commands, "the meter of %s and Redis disagree", function)
	}
	require.NoError(t, p.Close())
	return did
}

// ran is how many commands Redis has run that Upstash bills, by INFO commandstats.
func ran(t *testing.T, p *local.Product) (n int64) {
	t.Helper()
	stats, err := p.Upstash.Redis().CommandStats(t.Context())
	require.NoError(t, err)
	for name, calls := range stats {
		switch name {
		case "info", "hello", "client", "ping":
		default:
			n += calls
		}
	}
	return n
}
