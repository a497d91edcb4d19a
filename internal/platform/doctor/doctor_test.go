package doctor_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/local"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/platform/auth/devissuer"
	"github.com/framedle/leaderboards/internal/platform/doctor"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const origin = "https://game.example"

// front stands before the local product and breaks what a deployment may have
// broken.
type front struct {
	*local.Product
	URL    string
	before func(w http.ResponseWriter, r *http.Request) (answered bool)
	after  func(*http.Response)
}

func newFront(t *testing.T) *front {
	t.Helper()
	g, err := app.LoadGame("")
	require.NoError(t, err)
	return newFrontOf(t, g)
}

func newFrontOf(t *testing.T, g *game.Game) *front {
	t.Helper()
	product, err := local.Start(t.Context(), local.Options{Addr: "127.0.0.1:0", Redis: local.RedisEmbedded, DatabaseURL: archivetest.Database(t), Game: g, Log: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, product.Close()) })
	f := &front{Product: product}
	target, err := url.Parse(product.URL)
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ModifyResponse = func(r *http.Response) error {
		if f.after != nil {
			f.after(r)
		}
		return nil
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f.before == nil || !f.before(w, r) {
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	f.URL = server.URL
	return f
}

func (f *front) options(t *testing.T) doctor.Options {
	t.Helper()
	token, err := f.Token(devissuer.Claims{Player: "user_a"})
	require.NoError(t, err)
	return doctor.Options{URL: f.URL + "/v1/", OpsToken: f.Secrets.OpsToken, SigningKey: f.Secrets.SigningKey, Session: token, Origin: origin}
}

func states(r doctor.Report) map[string]doctor.State {
	all := map[string]doctor.State{}
	for _, c := range r.Checks {
		if all[c.Name] != doctor.Wrong {
			all[c.Name] = c.State
		}
	}
	return all
}

func TestAHealthyDeploymentIsHealthy(t *testing.T) {
	f := newFront(t)
	for _, run := range []host.ScheduledFunc{f.Jobs.Daily, f.Jobs.Weekly, f.Jobs.Save} {
		_, err := run(t.Context(), time.Now())
		require.NoError(t, err)
	}
	o := f.options(t)
	o.Mode = "daily_frame"
	report := doctor.Examine(t.Context(), o)
	require.False(t, report.Sick(), report.String())
	require.Equal(t, map[string]doctor.State{
		"address": doctor.Good, "tls": doctor.Skipped, "clock": doctor.Good, "version": doctor.Good, "routes": doctor.Good, "browsers": doctor.Good,
		"redis": doctor.Good, "database": doctor.Good, "addresses": doctor.Good, "status": doctor.Good, "schedules": doctor.Good, "signatures": doctor.Good,
		"players": doctor.Good, "play": doctor.Good,
	}, states(report), report.String())
	again := doctor.Examine(t.Context(), o)
	require.False(t, again.Sick(), "the score has been taken away: "+again.String())
}

// Such modes require a key with each score.
func TestAModeThatAddsScoresUpIsPlayed(t *testing.T) {
	g, err := gamefile.Parse("coins.yaml", []byte("name: coins\nmodes:\n  coins: {policy: sum, max: 1000, day_max: 100000}\n"))
	require.NoError(t, err)
	f := newFrontOf(t, g)
	o := f.options(t)
	o.Mode = "coins"
	for range 2 {
		report := doctor.Examine(t.Context(), o)
		require.Equal(t, doctor.Good, states(report)["play"], report.String())
	}
	o.Score = "-1"
	report := doctor.Examine(t.Context(), o)
	require.Contains(t, report.String(), "a score is rejected: 422 score-out-of-bounds: ")
}

// Without credentials it reads what anybody may, and changes nothing.
func TestWithoutCredentialsItOnlyReads(t *testing.T) {
	f := newFront(t)
	f.Upstash.Inject(func(r upstashtest.Request) upstashtest.Fault {
		for _, command := range r.Commands {
			if name := strings.ToUpper(command[0]); strings.HasPrefix(name, "SET") || strings.HasPrefix(name, "Z") && name != "ZCARD" && name != "ZMSCORE" && !strings.HasPrefix(name, "ZR") {
				t.Errorf("%v was written", command)
			}
		}
		return upstashtest.Fault{}
	})
	report := doctor.Examine(t.Context(), doctor.Options{URL: f.URL})
	require.False(t, report.Sick(), report.String())
	for _, name := range []string{"browsers", "redis", "signatures", "players"} {
		require.Equal(t, doctor.Skipped, states(report)[name], name)
	}
}

// Each fault is reported by the check that it belongs to, with words that say what to do.
func TestEachFaultIsNamed(t *testing.T) {
	f := newFront(t)
	header := func(name, value string) func(*http.Response) {
		return func(r *http.Response) { r.Header.Set(name, value) }
	}
	body := func(path, text string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != path {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, text)
			return true
		}
	}
	problem := func(path string, status int, kind string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != path {
				return false
			}
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, `{"type":"https://x/problems.md#%s","detail":"no such endpoint"}`, kind)
			return true
		}
	}
	for name, test := range map[string]struct {
		before func(http.ResponseWriter, *http.Request) bool
		after  func(*http.Response)
		change func(*doctor.Options)
		check  string
		says   string
	}{
		"nobody answers":        {change: func(o *doctor.Options) { o.URL = "http://127.0.0.1:1" }, check: "address", says: "no response from"},
		"another path":          {change: func(o *doctor.Options) { o.URL += "/api" }, check: "address", says: "without /v1"},
		"unencrypted":           {change: func(o *doctor.Options) { o.URL = "http://api.example.com" }, check: "address", says: "use https"},
		"another document":      {before: body("/openapi.yaml", "<html>"), check: "version", says: "something else responds"},
		"a clock that is wrong": {after: header("Date", time.Now().Add(-3*time.Minute).UTC().Format(http.TimeFormat)), check: "clock", says: "apart. Fix whichever"},
		"a route to nowhere":    {before: problem("/v1/me", 404, "not-found"), check: "routes", says: "GET /v1/me: not served"},
		"a gateway's own error": {before: func(w http.ResponseWriter, r *http.Request) bool {
			bad := r.URL.Path == "/v1/me"
			if bad {
				http.Error(w, "Bad Gateway", http.StatusBadGateway)
			}
			return bad
		}, check: "routes", says: "GET /v1/me: response: 502, and not by this product"},
		"preflights refused": {before: func(w http.ResponseWriter, r *http.Request) bool {
			bad := r.Method == "OPTIONS"
			if bad {
				w.WriteHeader(405)
			}
			return bad
		}, check: "browsers", says: "AllowedOrigins"},
		"another origin":            {after: header("Access-Control-Allow-Origin", "https://other.example"), check: "browsers", says: "CORS does not allow https://game.example"},
		"headers not allowed":       {after: header("Access-Control-Allow-Headers", "content-type"), check: "browsers", says: "pages need POST, Authorization"},
		"the operator refused":      {change: func(o *doctor.Options) { o.OpsToken = strings.Repeat("x", 40) }, check: "operator", says: "OPS_TOKEN is rejected"},
		"Redis away":                {before: problem("/v1/ops/health", 503, "temporarily-unavailable"), check: "redis", says: "UPSTASH_REDIS_REST_URL"},
		"the database away":         {before: body("/v1/ops/health", `{"redis":"ok","database":"unreachable"}`), check: "database", says: "DATABASE_URL is set, but the database is not responding"},
		"a database without tables": {before: body("/v1/ops/health", `{"redis":"ok","database":"behind","detail":"the database has no tables; migrations 1 to 15 are pending: run lbctl migrate"}`), check: "database", says: "it responds, but the database has no tables; migrations 1 to 15 are pending: run lbctl migrate"},
		"forged addresses": {before: func(w http.ResponseWriter, r *http.Request) bool {
			return body("/v1/ops/health", fmt.Sprintf(`{"redis":"ok","database":"ok","address":%q}`, r.Header.Get("X-Forwarded-For")+strings.Repeat("9.9.9.9", btoi(r.Header.Get("X-Forwarded-For") == ""))))(w, r)
		}, check: "addresses", says: "X-Forwarded-For is trusted"},
		"a key that is not known": {change: func(o *doctor.Options) { o.SigningKey = strings.Repeat("x", 40) }, check: "signatures", says: "the first of SIGNING_KEYS is rejected (401 unauthenticated: the signature does not match"},
		"another issuer":          {change: func(o *doctor.Options) { o.Session = "a.b.c" }, check: "players", says: "Compare CLERK_ISSUER"},
		"a day not closed":        {before: body("/v1/ops/status", `{"problems":[{"what":"cron-daily has never run","do":"check its log, then run it"}],"schedules":[]}`), check: "status", says: "cron-daily has never run. Fix: check its log, then run it"},
		"no status":               {before: problem("/v1/ops/status", 500, "internal"), check: "schedules", says: "no status: 500 internal"},
		"a mode there is not":     {change: func(o *doctor.Options) { o.Mode = "chess" }, check: "play", says: "a score is rejected"},
		"a player who played":     {change: func(o *doctor.Options) { o.Mode, o.Player = "daily_frame", "user_a" }, before: body("/v1/leaderboards/daily_frame/players/user_a", "{}"), check: "play", says: "use another player"},
	} {
		t.Run(name, func(t *testing.T) {
			f.before, f.after = test.before, test.after
			o := f.options(t)
			if test.change != nil {
				o.URL = f.URL
				test.change(&o)
			}
			report := doctor.Examine(t.Context(), o)
			require.True(t, report.Sick())
			for _, c := range report.Checks {
				if c.State == doctor.Wrong && c.Name == test.check && strings.Contains(c.Says, test.says) {
					return
				}
			}
			require.Failf(t, "not told", "%s by %s:\n%s", test.says, test.check, report)
		})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestCertificatesThatDoNotHoldAreTold(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	server.Config.ErrorLog = nil
	report := doctor.Examine(t.Context(), doctor.Options{URL: server.URL})
	require.Contains(t, report.String(), "WRONG  tls         certificate is invalid")
}
