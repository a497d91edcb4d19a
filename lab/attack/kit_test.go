// Package attack_test attacks the product as it is deployed: the functions of
// package jobs on the routes of template.yaml, over HTTP, with the verifiers of
// package auth. It knows credentials, good and bad, and takes the routes from
// the OpenAPI document, so that a new route is attacked without being named
// here. It must not know how anything is kept or decided.
package attack_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/lab/caller"
	"github.com/framedle/leaderboards/lab/stage"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// TestMain keeps property tests short.
func TestMain(m *testing.M) { os.Exit(testkit.Main(m, "6", "")) }

const (
	opsToken      = "an-operators-token-of-32-or-more-characters"
	webhookSecret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"
	// Two signing keys are valid; a third one has been rotated away.
	signingKey = "a-signing-key-of-32-or-more-characters"
	secondKey  = "another-signing-key-that-is-good-as-well"
	oldKey     = "a-signing-key-that-has-been-rotated-away"
	deviceKey  = "a-key-of-anonymous-players-of-32-or-more"
)

// noon is the noon of the day in the document's examples.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// product is the attacked product.
type product struct {
	testing.TB
	calls     *caller.Caller
	clock     *testkit.Clock
	issuer    *authtest.Issuer    // of the players' session tokens
	keys      *authtest.KeyServer // serves the issuer's public keys
	exchanges *atomic.Int64       // requests that have reached Redis
	store     *upstash.Client
	tokens    sync.Map // by player
}

// start serves the product over a Redis at an address ("" for an embedded one) and a
// database.
func start(tb testing.TB, redisURL, database string) *product {
	tb.Helper()
	p := &product{
		TB: tb, clock: testkit.Still(noon), issuer: authtest.New(tb), exchanges: new(atomic.Int64),
	}
	p.keys = authtest.NewKeyServer(tb, p.issuer)
	redis := upstashtest.Start(tb, upstashtest.Options{Redis: redisURL})
	redis.Inject(func(upstashtest.Request) upstashtest.Fault { p.exchanges.Add(1); return upstashtest.Fault{} })
	var err error
	p.store, err = upstash.New(upstash.Config{URL: redis.URL(), Token: redis.Token()})
	require.NoError(tb, err)

	// Functions that replace others in some deployments are attacked as built programs,
	// see TestNoFunctionTakesADevelopmentToken.
	address, stop, err := stage.Serve(p.functions(database), nil)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, stop()) })
	p.calls = caller.New("http://"+address, signingKey, nil)
	tb.Cleanup(p.calls.Close)
	return p
}

// functions returns the functions that template.yaml declares.
func (p *product) functions(database string) map[string]http.Handler {
	text, err := games.FS.ReadFile("framedle.yaml")
	require.NoError(p, err)
	game, err := gamefile.Parse("framedle.yaml", append(text, "\nanonymous: true\ndevices: {names: true}\n"...))
	require.NoError(p, err)
	devices, err := auth.NewDevices([]string{deviceKey})
	require.NoError(p, err)
	signatures, err := auth.NewSignatures([]string{signingKey, secondKey}, p.clock.Now)
	require.NoError(p, err)
	operator, err := auth.NewOperators(opsToken)
	require.NoError(p, err)
	webhooks, err := webhook.NewVerifier([]string{webhookSecret}, p.clock.Now)
	require.NoError(p, err)
	a := app.New(app.Parts{
		Game: game, Redis: p.store, Now: p.clock.Now, Log: slog.New(slog.DiscardHandler),
		Sessions: p.keys.Sessions(p.clock.Now), Signatures: signatures, Operators: operator, Webhooks: webhooks, Devices: devices,
	})
	var kept *archive.Archive
	if database != "" {
		kept = testkit.Archive(p, database, jobs.Tables()...)
	}
	return jobs.NewProduct(a, kept).Functions(jobs.Around{})
}

// token is a player's good session token.
func (p *product) token(player string) string {
	if known, ok := p.tokens.Load(player); ok {
		return known.(string)
	}
	now := p.clock.Now()
	token := p.issuer.Token(authtest.Claims(player, now, map[string]any{"exp": now.Add(time.Hour).Unix()}))
	p.tokens.Store(player, token)
	return token
}

// request is a request to make. Its headers are sent unchanged.
type request struct {
	method, path, body string
	header             map[string]string
}

// with is the request with more headers.
func (r request) with(header map[string]string) request {
	all := map[string]string{}
	for _, some := range []map[string]string{r.header, header} {
		for name, value := range some {
			all[name] = value
		}
	}
	r.header = all
	return r
}

func bearer(token string) map[string]string {
	return map[string]string{"Authorization": "Bearer " + token}
}

func signature(header string) map[string]string {
	return map[string]string{"Framedle-Signature": header}
}

func (p *product) signed(r request) request {
	return r.with(signature(auth.SignRequest(signingKey, p.clock.Now(), auth.Request{Method: r.method, Path: r.path, Body: []byte(r.body)})))
}

// answer is the answer to a request.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (p *product) send(r request) (answer, error) {
	var headers []string
	for name, value := range r.header {
		headers = append(headers, name, value)
	}
	got, err := p.calls.Call(p.Context(), caller.Nobody, r.method, r.path, []byte(r.body), headers...)
	return answer{got.Status, got.Header, got.Body}, err
}

func (p *product) do(r request) answer {
	p.Helper()
	a, err := p.send(r)
	require.NoError(p, err, "%s %s", r.method, r.path)
	return a
}

// refused makes the request and requires that it is refused, with a complete problem and
// without a command to Redis.
func (p *product) refused(status int, name string, r request) {
	p.Helper()
	before := p.exchanges.Load()
	a := p.do(r)
	require.Equal(p, status, a.status, "%s: %s %s\n%s", name, r.method, r.path, a.body)
	require.Equal(p, before, p.exchanges.Load(), "%s: %s %s reached Redis", name, r.method, r.path)
	a.requireProblem(p, name+": "+r.method+" "+r.path)
}

func (a answer) requireProblem(tb testing.TB, what string) {
	tb.Helper()
	require.Equal(tb, "application/problem+json", a.header.Get("Content-Type"), what)
	require.Equal(tb, "no-store", a.header.Get("Cache-Control"), what)
	require.Equal(tb, a.status == http.StatusUnauthorized, a.header.Get("WWW-Authenticate") != "", what)
	var problem struct {
		Type, Title, Detail, Instance string
		Status                        int
	}
	require.NoError(tb, json.Unmarshal(a.body, &problem), what)
	require.Equal(tb, a.status, problem.Status, what)
	for _, text := range []string{problem.Type, problem.Title, problem.Detail, problem.Instance} {
		require.NotEmpty(tb, text, what)
	}
}

// delivered is a webhook of Clerk as Svix delivers it.
func (p *product) delivered(id, body string, at time.Time) request {
	h, err := webhook.Sign(webhookSecret, id, at, []byte(body))
	require.NoError(p, err)
	return request{method: "POST", path: "/v1/webhooks/clerk", body: body, header: map[string]string{
		"svix-id": h.ID, "svix-timestamp": h.Timestamp, "svix-signature": h.Signature,
	}}
}
