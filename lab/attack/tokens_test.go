package attack_test

import (
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
)

// strayDatabase is the address of a database that closes every connection, and how many
// connections it got.
func strayDatabase(t *testing.T) (url string, callers *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	callers = new(atomic.Int64)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			callers.Add(1)
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() { require.NoError(t, listener.Close()) })
	return "postgres://nobody@" + listener.Addr().String() + "/none?sslmode=disable", callers
}

// badTokens are session tokens of user_a; in each of them one thing is wrong.
func badTokens(p *product) map[string]string {
	stranger := authtest.New(p)
	now := p.clock.Now()
	unix := now.Unix()
	with := func(changes map[string]any, options ...authtest.Option) string {
		return p.issuer.Token(authtest.Claims("user_a", now, changes), options...)
	}
	good := strings.Split(with(nil), ".")
	other := strings.Split(p.issuer.Token(authtest.Claims("user_b", now, nil)), ".")
	return map[string]string{
		"alg none":                    with(nil, authtest.Unsigned("none")),
		"alg None":                    with(nil, authtest.Unsigned("None")),
		"alg none over a signature":   with(nil, authtest.Header("alg", "none")),
		"no alg":                      with(nil, authtest.Header("alg", nil)),
		"HS256 with the public key":   with(nil, authtest.HS256(p.issuer.PEM())),
		"HS256 that claims RS256":     with(nil, authtest.HS256(p.issuer.PEM()), authtest.Header("alg", "RS256")),
		"RS512":                       with(nil, p.issuer.RS512()),
		"PS256":                       with(nil, p.issuer.PS256()),
		"another's key":               with(nil, authtest.SignedBy(stranger)),
		"another's key, unknown kid":  with(nil, authtest.SignedBy(stranger), authtest.Header("kid", "ins_other")),
		"another's key, no kid":       with(nil, authtest.SignedBy(stranger), authtest.Header("kid", nil)),
		"a kid that is a path":        with(nil, authtest.SignedBy(stranger), authtest.Header("kid", "../../../dev/null")),
		"its own key in the header":   with(nil, authtest.SignedBy(stranger), authtest.Header("jwk", stranger.PublicJWK())),
		"a key set by reference":      with(nil, authtest.SignedBy(stranger), authtest.Header("jku", "https://evil.test/jwks.json")),
		"another instance's issuer":   with(map[string]any{"iss": "https://clerk.evil.test"}),
		"an issuer with a slash":      with(map[string]any{"iss": authtest.IssuerURL + "/"}),
		"stripped issuer":             with(map[string]any{"iss": nil}),
		"stripped azp":                with(map[string]any{"azp": nil}),
		"empty azp":                   with(map[string]any{"azp": ""}),
		"azp of another site":         with(map[string]any{"azp": "https://evil.test"}),
		"expired":                     with(map[string]any{"exp": unix - 6}),
		"never expiring":              with(map[string]any{"exp": nil}),
		"not yet valid":               with(map[string]any{"nbf": unix + 6}),
		"issued in the future":        with(map[string]any{"iat": unix + 6}),
		"pending session":             with(map[string]any{"sts": "pending"}),
		"missing sub":                 with(map[string]any{"sub": nil}),
		"empty sub":                   with(map[string]any{"sub": ""}),
		"sub that forges a key":       with(map[string]any{"sub": "user_a:country:BR x"}),
		"sub that is no text":         with(map[string]any{"sub": 7}),
		"another player's payload":    good[0] + "." + other[1] + "." + good[2],
		"signature stripped":          good[0] + "." + good[1] + ".",
		"signature left out":          good[0] + "." + good[1],
		"a part too many":             strings.Join(good, ".") + "." + good[2],
		"a machine's token":           with(nil, authtest.Header("cat", "cl_B7d4PD222AAA")),
		"a critical extension":        with(nil, authtest.Header("crit", []string{"exp"})),
		"two subs":                    p.issuer.Token(nil, authtest.RawClaims(`{"sub":"user_a","sub":"user_b"}`)),
		"9 KB":                        with(map[string]any{"filler": strings.Repeat("x", 6500)}),
		"25 KB":                       with(map[string]any{"filler": strings.Repeat("x", 18500)}),
		"no token":                    "x",
		"a game server's signing key": signingKey,
		"a device token, other key":   deviceToken(p, strings.Repeat("d", 32)),
		"a device token, altered":     strings.Replace(deviceToken(p, deviceKey), "dev1.c", "dev1.d", 1),
		"a device token, cut off":     deviceToken(p, deviceKey)[:70],
	}
}

// deviceToken is the token of an anonymous player, made with a key.
func deviceToken(p *product, key string) string {
	devices, err := auth.NewDevices([]string{key})
	require.NoError(p, err)
	device, err := devices.Issue(strings.NewReader(strings.Repeat("r", 16)))
	require.NoError(p, err)
	return device.Token
}

// Every route that needs a credential refuses each bad one with 401, without a command to
// Redis or the database, and with at most one request to the key server.
func TestNoRouteTakesABadSessionToken(t *testing.T) {
	database, callers := strayDatabase(t)
	p := start(t, "", database)
	p.refused(http.StatusUnauthorized, "before any key is known", request{method: "GET", path: "/v1/me"}.with(bearer("x")))
	bad := badTokens(p)
	requests := 0
	for _, r := range routes(t) {
		for name, token := range bad {
			p.refused(http.StatusUnauthorized, name, r.with(bearer(token)))
			requests++
		}
		for name, header := range map[string]string{
			"nothing": "", "another scheme": "Basic dXNlcjpwYXNz", "no scheme": p.token("user_a"), "two tokens": "Bearer " + p.token("user_a") + "," + p.token("user_b"),
		} {
			if header != "" || !r.open {
				p.refused(http.StatusUnauthorized, name, r.with(map[string]string{"Authorization": header}))
				requests++
			}
		}
	}
	require.LessOrEqual(t, p.keys.Fetches(), 1)
	require.Zero(t, callers.Load(), "the database was called")
	t.Logf("%d requests refused, %d fetches of keys", requests, p.keys.Fetches())
}

// A credential of one kind is not accepted in place of another: 403 where the caller is
// known and may not call the route, 401 where nothing is proven.
func TestNoRouteTakesACredentialOfAnotherKind(t *testing.T) {
	database, callers := strayDatabase(t)
	p := start(t, "", database)
	for _, r := range routes(t) {
		asPlayer := http.StatusForbidden
		if r.take(hook) {
			asPlayer = http.StatusUnauthorized // the credential of a webhook names no caller
		}
		if !r.take(session) {
			p.refused(asPlayer, "a player's session token", r.with(bearer(p.token("user_a"))))
		}
		if !r.take(operator) {
			p.refused(http.StatusUnauthorized, "the operator's token", r.with(bearer(opsToken)))
		}
		if !r.take(device) {
			status := asPlayer
			if r.take(operator) {
				status = http.StatusUnauthorized
			}
			p.refused(status, "a device token", r.with(bearer(deviceToken(p, deviceKey))))
		}
		if !r.take(signed) && !r.open {
			p.refused(http.StatusUnauthorized, "a game server's signature", p.signed(r.request))
		}
		for name, token := range map[string]string{
			"an operator's token, wrong at the end": opsToken[:len(opsToken)-1] + "x", "wrong at the start": "x" + opsToken[1:],
			"cut off": opsToken[:len(opsToken)-1], "too long": opsToken + "x", "in capitals": strings.ToUpper(opsToken),
		} {
			p.refused(http.StatusUnauthorized, name, r.with(bearer(token)))
		}
		p.refused(http.StatusUnauthorized, "a signature beside a bad token", p.signed(r.request).with(bearer(opsToken+"x")))
	}
	require.Zero(t, callers.Load(), "the database was called")
}

// With a good credential the same requests succeed. So it is the credential that keeps
// the bad ones out.
func TestEveryRouteTakesAGoodCredential(t *testing.T) {
	database, _ := strayDatabase(t)
	for _, kind := range []string{session, device, signed, operator, hook} {
		p := start(t, "", database)
		for _, r := range routes(t) {
			if !r.take(kind) {
				continue
			}
			r.path += map[string]string{ // what these cannot do without
				"/v1/ops/audit": "?mode=daily", "/v1/ops/players": "?name=robin", "/v1/me/ranks": "?mode=daily_frame",
			}[r.path]
			good := map[string]func() request{
				session:  func() request { return p.claiming(r.request).with(bearer(p.token("user_a"))) },
				device:   func() request { return r.with(bearer(deviceToken(p, deviceKey))) },
				signed:   func() request { return p.signed(p.byServer(r.request)) },
				operator: func() request { return r.with(bearer(opsToken)) },
				hook:     func() request { return p.delivered("msg_1", r.body, p.clock.Now()) },
			}[kind]()
			a := p.do(good)
			require.NotContains(t, []int{400, 401, 403}, a.status, "%s by %s: %s", r.name(), kind, a.body)
		}
	}
}

// claiming makes the body of a claim name an existing device.
func (p *product) claiming(r request) request {
	if r.path == "/v1/me/claim" {
		r.body = `{"device_token":"` + deviceToken(p, deviceKey) + `"}`
	}
	return r
}

// byServer makes the body name the player for whom a game server acts.
func (p *product) byServer(r request) request {
	switch r.method + " " + r.path {
	case "POST /v1/scores":
		r.body = `{"mode":"daily_frame","score":800,"player":"user_a"}`
	case "POST /v1/duels":
		r.body = `{"players":["user_a","user_b"]}`
	case "POST /v1/plays":
		r.body = `{"mode":"daily_frame","player":"user_a"}`
	case "POST /v1/me/wallets/coins/spend":
		r.body = `{"player":"user_a","amount":5,"item":"hat-3"}`
	}
	return r
}

// Thousands of tokens with key ids of their own, sent to every route at once, cause one
// fetch of keys in 30 seconds. Players are let in meanwhile.
func TestAStormOfUnknownKidsCausesOneFetch(t *testing.T) {
	p := start(t, "", "")
	all := routes(t)
	storm := func(round int) { // 2,000 requests
		before := p.exchanges.Load()
		atOnce(64, 2000, func(i int) {
			claims := authtest.Claims("user_a", p.clock.Now(), nil)
			kid := strings.Repeat("k", 1+i%100) + time.Duration(round*10_000+i).String()
			token := p.issuer.Token(claims, authtest.HS256("not the key"), authtest.Header("alg", "RS256"), authtest.Header("kid", kid))
			r := all[i%len(all)]
			a, err := p.send(r.with(bearer(token)))
			if err != nil || a.status != http.StatusUnauthorized {
				p.Errorf("%s: %d %v", r.name(), a.status, err)
			}
		})
		require.Equal(t, before, p.exchanges.Load())
		require.Equal(t, http.StatusOK, p.do(request{method: "GET", path: "/v1/me"}.with(bearer(p.token("user_good")))).status)
	}
	storm(0)
	require.Equal(t, 1, p.keys.Fetches())
	p.clock.Pass(29 * time.Second)
	storm(1)
	require.Equal(t, 1, p.keys.Fetches())
	p.clock.Pass(2 * time.Second)
	storm(2)
	require.Equal(t, 2, p.keys.Fetches())
}

// While keys cannot be fetched, a token that may be valid is answered 503 with
// Retry-After, and the key server gets at most one request every two seconds.
func TestWithoutKeysTokensAreNotJudged(t *testing.T) {
	p := start(t, "", "")
	p.keys.Down(true)
	all := routes(t)
	atOnce(64, 640, func(i int) {
		r := all[i%len(all)]
		if !r.take(session) {
			return
		}
		a, err := p.send(r.with(bearer(p.token("user_a"))))
		if err != nil || a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
			p.Errorf("%s: %d %v %s", r.name(), a.status, err, a.body)
		}
	})
	require.Equal(t, 1, p.keys.Fetches())
	require.Zero(t, p.exchanges.Load())
	p.keys.Down(false)
	p.clock.Pass(2 * time.Second)
	require.Equal(t, http.StatusOK, p.do(request{method: "GET", path: "/v1/me"}.with(bearer(p.token("user_a")))).status)
	require.Equal(t, 2, p.keys.Fetches())
}
