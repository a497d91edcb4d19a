// Package doctor examines a deployment from outside, as its callers see it: whether every
// route exists, browsers are let in, clocks agree, credentials hold, the stores answer,
// schedules run, and limits see the addresses of callers.
//
// It knows the API document and what often goes wrong with a deployment. It does not know how
// anything works inside. It only reads, unless it is asked to play.
package doctor

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/framedle/leaderboards/client"
)

const (
	requestTime = 35 * time.Second // a gateway gives up after 30
	maxAnswer   = 4 << 20          // bytes
	// skewNoted and skewWrong bound the difference of the clocks: the times of a session token
	// may be off by 5 s, those of a signature by 300 s. The header Date has whole seconds.
	skewNoted = 4 * time.Second
	skewWrong = 30 * time.Second
	// certificateLeft is how long a certificate should still be valid.
	certificateLeft = 14 * 24 * time.Hour
)

// Options say what to examine, and with which credentials. Empty ones are not checked.
type Options struct {
	URL        string // of the API, without /v1
	OpsToken   string
	SigningKey string
	Session    string // a player's session token
	Origin     string // of the page from which browsers call
	// Mode is the mode in which Player plays a score that is then removed again; empty:
	// nothing is written. It needs OpsToken and SigningKey.
	Mode, Player string
	Score        string // as JSON; 1 when empty

	Transport http.RoundTripper // nil: one of its own
	Now       func() time.Time  // nil: the machine's clock
}

// examination is one run.
type examination struct {
	Options
	Report
	http   *http.Client
	server *client.Client // signs requests
	local  bool           // the deployment is on this machine
}

// Examine makes all checks. It stops early only if nothing answers.
func Examine(ctx context.Context, o Options) Report {
	e, err := newExamination(o)
	if err != nil {
		e.add("address", Wrong, "%v", err)
		return e.Report
	}
	document, ok := e.reach(ctx)
	if !ok {
		return e.Report
	}
	e.routes(ctx, document)
	e.browsers(ctx)
	e.stores(ctx)
	e.schedules(ctx)
	e.signatures(ctx)
	e.players(ctx)
	if e.Mode != "" {
		e.play(ctx)
	}
	return e.Report
}

func newExamination(o Options) (*examination, error) {
	e := &examination{Options: o, http: &http.Client{
		Transport: o.Transport, Timeout: requestTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	e.URL = strings.TrimRight(e.URL, "/")
	e.URL = strings.TrimSuffix(e.URL, "/v1")
	if e.Now == nil {
		e.Now = time.Now
	}
	u, err := url.Parse(e.URL)
	if err == nil {
		ip := net.ParseIP(u.Hostname())
		e.local = u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	}
	e.server, err = client.New(client.Config{Timeout: requestTime, URL: e.URL, SigningKey: o.SigningKey, Transport: o.Transport, Now: e.Now})
	return e, err
}

// answer is the answer to a request.
type answer struct {
	status int
	header http.Header
	body   []byte
	tls    *tls.ConnectionState
}

// problem returns the kind and detail of an RFC 9457 answer; "" for other answers.
func (a answer) problem() (kind, detail string) {
	var p struct{ Type, Detail string }
	if a.header.Get("Content-Type") != "application/problem+json" || json.Unmarshal(a.body, &p) != nil {
		return "", ""
	}
	return p.Type[strings.LastIndexByte(p.Type, '#')+1:], p.Detail
}

// describe describes the answer, for a person who has to repair it.
func (a answer) describe() string {
	kind, detail := a.problem()
	if kind == "" {
		return fmt.Sprintf("%d, and not by this product: %.80q", a.status, a.body)
	}
	return fmt.Sprintf("%d %s: %s", a.status, kind, detail)
}

func (e *examination) ask(ctx context.Context, method, path, body string, headers map[string]string) (answer, error) {
	r, err := http.NewRequestWithContext(ctx, method, e.URL+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	res, err := e.http.Do(r)
	if err != nil {
		return answer{}, err
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	return answer{res.StatusCode, res.Header, data, res.TLS}, errors.Join(err, res.Body.Close())
}

func bearer(token string) map[string]string {
	return map[string]string{"Authorization": "Bearer " + token}
}

// reach reads the API document, and checks what every answer shows.
func (e *examination) reach(ctx context.Context) (document []byte, ok bool) {
	began := e.Now()
	a, err := e.ask(ctx, http.MethodGet, "/openapi.yaml", "", nil)
	ended := e.Now()
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &certificate):
		e.add("tls", Wrong, "certificate is invalid: %v. Browsers reject it too: renew it, or use the host name that it was issued for", certificate.Err)
		return nil, false
	case err != nil:
		e.add("address", Wrong, "no response from %s: %v. Check the address, and the function's log for \"the function cannot start\"", e.URL, err)
		return nil, false
	case a.status != http.StatusOK:
		e.add("address", Wrong, "%s/openapi.yaml: response %s. Check that the address is that of the API, without /v1, and the log for \"the function cannot start\"", e.URL, a.describe())
		return nil, false
	}
	e.add("address", Good, "%s responds", e.URL)
	e.certificate(a)
	e.clock(a, began, ended)
	return a.body, true
}

func (e *examination) certificate(a answer) {
	switch {
	case a.tls != nil && len(a.tls.PeerCertificates) > 0:
		until := a.tls.PeerCertificates[0].NotAfter
		if until.Sub(e.Now()) < certificateLeft {
			e.add("tls", Note, "certificate expires on %s: renew it", until.Format(time.DateOnly))
			return
		}
		e.add("tls", Good, "certificate is valid until %s", until.Format(time.DateOnly))
	case e.local:
		e.add("tls", Skipped, "http, on this machine")
	default:
		e.add("tls", Wrong, "http: credentials travel unencrypted. Use the https address")
	}
}

func (e *examination) clock(a answer, began, ended time.Time) {
	date, err := http.ParseTime(a.header.Get("Date"))
	if err != nil {
		e.add("clock", Note, "the response has no Date header, so clocks cannot be compared")
		return
	}
	// Date is cut to whole seconds: the clock was up to a second ahead of it.
	skew := max(began.Sub(date.Add(time.Second)), date.Sub(ended), 0)
	switch {
	case skew > skewWrong:
		e.add("clock", Wrong, "the deployment's clock and this machine's are %s apart. Fix whichever is wrong: tokens allow 5 s, signatures 5 minutes", skew.Round(time.Second))
	case skew > skewNoted:
		e.add("clock", Note, "the deployment's clock and this machine's are %s apart; tokens allow 5 s", skew.Round(time.Second))
	default:
		e.add("clock", Good, "within %s", skewNoted)
	}
}

// browsers sends the request with which a browser asks whether a page may call.
func (e *examination) browsers(ctx context.Context) {
	if e.Origin == "" {
		e.add("browsers", Skipped, "requires --origin, such as https://example.com")
		return
	}
	a, err := e.ask(ctx, http.MethodOptions, "/v1/scores", "", map[string]string{
		"Origin": e.Origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
	})
	const fix = "On AWS set the parameter AllowedOrigins, elsewhere the variable CORS_ORIGINS: origins without a path, such as https://example.com"
	if err != nil {
		e.add("browsers", Wrong, "no response to a preflight: %v", err)
		return
	}
	allowed := a.header.Get("Access-Control-Allow-Origin")
	methods, headers := strings.ToUpper(a.header.Get("Access-Control-Allow-Methods")), strings.ToLower(a.header.Get("Access-Control-Allow-Headers"))
	switch {
	case a.status != http.StatusNoContent && a.status != http.StatusOK:
		e.add("browsers", Wrong, "preflight response: %s. %s", a.describe(), fix)
	case allowed != "*" && allowed != e.Origin:
		e.add("browsers", Wrong, "CORS does not allow %s (Access-Control-Allow-Origin is %q). %s", e.Origin, allowed, fix)
	case methods != "*" && !strings.Contains(methods, "POST"), !strings.Contains(headers, "authorization") || !strings.Contains(headers, "idempotency-key"):
		e.add("browsers", Wrong, "preflights allow the methods %q and the headers %q, but pages need POST, Authorization, Content-Type and Idempotency-Key. Check that nothing in front of the API answers preflights itself", methods, headers)
	default:
		a, err = e.ask(ctx, http.MethodGet, "/openapi.yaml", "", map[string]string{"Origin": e.Origin})
		if allowed = a.header.Get("Access-Control-Allow-Origin"); err != nil || allowed != "*" && allowed != e.Origin {
			e.add("browsers", Wrong, "preflights pass, but the response does not allow %s. Check that a cache in front varies by Origin", e.Origin)
			return
		}
		e.add("browsers", Good, "CORS allows %s", e.Origin)
	}
}

// health is the answer of GET /v1/ops/health.
type health struct{ Redis, Database, Detail, Address string }

// stores checks whether Redis and the database answer, and which address the product sees.
func (e *examination) stores(ctx context.Context) {
	if e.OpsToken == "" {
		e.add("redis", Skipped, "requires OPS_TOKEN (also for schedules and addresses)")
		return
	}
	a, err := e.ask(ctx, http.MethodGet, "/v1/ops/health", "", bearer(e.OpsToken))
	if err != nil {
		e.add("redis", Wrong, "no response from health: %v", err)
		return
	}
	var h health
	switch a.status {
	case http.StatusOK:
		if json.Unmarshal(a.body, &h) != nil {
			e.add("redis", Wrong, "health response: %s", a.describe())
			return
		}
	case http.StatusUnauthorized, http.StatusForbidden:
		e.add("operator", Wrong, "OPS_TOKEN is rejected (%s). Use the deployment's token", a.describe())
		return
	default:
		e.add("redis", Wrong, "%s. Check UPSTASH_REDIS_REST_URL, _TOKEN and the plan's quota", a.describe())
		return
	}
	e.add("redis", Good, "responds")
	switch h.Database {
	case "ok":
		e.add("database", Good, "responds")
	case "none":
		e.add("database", Note, "no database: no history beyond what Redis has, and no friends. Set DATABASE_URL to have both")
	case "behind":
		e.add("database", Wrong, "it responds, but %s", h.Detail)
	default:
		e.add("database", Wrong, "%s: DATABASE_URL is set, but the database is not responding. Check host, password and sslmode", h.Database)
	}
	e.addresses(ctx, h.Address)
}

// forged is an address that nobody has (RFC 5737).
const forged = "203.0.113.77"

// addresses checks whether limits by address count callers by their address or by what they
// claim.
func (e *examination) addresses(ctx context.Context, seen string) {
	headers := bearer(e.OpsToken)
	headers["X-Forwarded-For"] = forged
	a, err := e.ask(ctx, http.MethodGet, "/v1/ops/health", "", headers)
	var h health
	if err != nil || a.status != http.StatusOK || json.Unmarshal(a.body, &h) != nil {
		e.add("addresses", Wrong, "no response from health with X-Forwarded-For")
		return
	}
	ip, _ := netip.ParseAddr(h.Address)
	switch {
	case h.Address == forged:
		e.add("addresses", Wrong, "callers can spoof their IP address: X-Forwarded-For is trusted. TRUSTED_PROXY_HOPS is larger than the number of proxies before the function, or the function can be reached around them")
	case e.local:
		e.add("addresses", Good, "X-Forwarded-For is not trusted; requests from this machine are exempt from limits")
	case seen == "":
		e.add("addresses", Wrong, "the deployment treats this machine as its own, so callers are not limited by address. Raise TRUSTED_PROXY_HOPS to the number of proxies before the function")
	case ip.IsPrivate(), ip.IsLoopback(), ip.IsLinkLocalUnicast():
		e.add("addresses", Wrong, "your IP address is seen as %s, which is a proxy's: all callers share one limit. Raise TRUSTED_PROXY_HOPS to the number of proxies before the function", h.Address)
	default:
		e.add("addresses", Good, "X-Forwarded-For is not trusted; your IP address is %s. If it is not yours, it is a proxy's: see docs/operate/limits.md", h.Address)
	}
}

// signed is an answer to a signed request.
func signed(a client.Answer) answer { return answer{a.Status, a.Header, a.Body, nil} }

// signatures makes a request that needs a valid signature and does nothing.
func (e *examination) signatures(ctx context.Context) {
	if e.SigningKey == "" {
		e.add("signatures", Skipped, "requires SIGNING_KEYS")
		return
	}
	a, err := e.server.Do(ctx, client.Request{Method: http.MethodPost, Path: "/v1/scores/batch", Body: []byte(`{"scores":[]}`)})
	switch {
	case err != nil:
		e.add("signatures", Wrong, "no response to a signed request: %v", err)
	case a.Status == http.StatusUnauthorized, a.Status == http.StatusForbidden:
		e.add("signatures", Wrong, "the first of SIGNING_KEYS is rejected (%s). Use the deployment's key, and check the clocks", signed(a).describe())
	case a.Status >= 500:
		e.add("signatures", Wrong, "response to a signed request: %s", signed(a).describe())
	default:
		e.add("signatures", Good, "the first of SIGNING_KEYS is accepted")
	}
}

// players makes requests as a player.
func (e *examination) players(ctx context.Context) {
	if e.Session == "" {
		e.add("players", Skipped, "requires SESSION_TOKEN, a player's session token")
		return
	}
	a, err := e.ask(ctx, http.MethodGet, "/v1/me", "", bearer(e.Session))
	switch {
	case err != nil:
		e.add("players", Wrong, "no response to a player: %v", err)
	case a.status == http.StatusOK:
		e.add("players", Good, "the session token is accepted")
	default:
		e.add("players", Wrong, "the session token is rejected: %s. Compare CLERK_ISSUER with its claim iss and CLERK_AUTHORIZED_PARTIES with azp; native apps have none (add native)", a.describe())
	}
}

// State is the result of a check.
type State string

// The states of a check.
const (
	Good    State = "ok"
	Note    State = "note"  // worth reading; nothing is broken
	Skipped State = "-"     // it needs something that was not given
	Wrong   State = "WRONG" // something is broken, and players or the operator will notice
)

// Check is one line of a report.
type Check struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	Says  string `json:"says"` // what was found and, where something is wrong, what to do
}

// Report is the result of an examination, in the order of the checks.
type Report struct {
	Checks []Check `json:"checks"`
}

// Sick reports whether anything is wrong.
func (r Report) Sick() bool {
	for _, c := range r.Checks {
		if c.State == Wrong {
			return true
		}
	}
	return false
}

// String returns a line for each check.
func (r Report) String() string {
	var b strings.Builder
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "%-5s  %-10s  %s\n", c.State, c.Name, c.Says)
	}
	return b.String()
}

func (r *Report) add(name string, state State, format string, args ...any) {
	r.Checks = append(r.Checks, Check{name, state, fmt.Sprintf(format, args...)})
}

// play makes a player play, looks for the score on the board, and removes it.
func (e *examination) play(ctx context.Context) {
	if e.OpsToken == "" || e.SigningKey == "" {
		e.add("play", Skipped, "requires OPS_TOKEN and SIGNING_KEYS")
		return
	}
	player := cmp.Or(e.Player, "doctor_plays")
	// An earlier score is the player's own, and would be removed too.
	if a, err := e.ask(ctx, http.MethodGet, "/v1/leaderboards/"+e.Mode+"/players/"+player, "", nil); err != nil || a.status != http.StatusNotFound {
		e.add("play", Wrong, "%s is on the board of %s already (%s): use another player", player, e.Mode, a.describe())
		return
	}
	body := fmt.Sprintf(`{"mode":%q,"player":%q,"score":%s}`, e.Mode, player, cmp.Or(e.Score, "1"))
	// Modes that add scores up require a key.
	key := http.Header{"Idempotency-Key": {`"` + rand.Text() + `"`}}
	a, err := e.server.Do(ctx, client.Request{Method: http.MethodPost, Path: "/v1/scores", Header: key, Body: []byte(body)})
	switch {
	case err != nil:
		e.add("play", Wrong, "no response to a score: %v", err)
		return
	case a.Status == http.StatusAccepted:
		e.add("play", Note, "the score is queued; remove %s manually once it is written", player)
		return
	case a.Status != http.StatusCreated:
		e.add("play", Wrong, "a score is rejected: %s", answer{status: a.Status, header: a.Header, body: a.Body}.describe())
		return
	}
	var current struct{ Date string }
	_ = json.Unmarshal(a.Body, &current)
	card, err := e.ask(ctx, http.MethodGet, "/v1/leaderboards/"+e.Mode+"/players/"+player+"?date="+current.Date, "", nil)
	seen := err == nil && card.status == http.StatusOK
	removed, err := e.ask(ctx, http.MethodDelete, "/v1/ops/scores", fmt.Sprintf(`{"mode":%q,"date":%q,"player":%q}`, e.Mode, current.Date, player), bearer(e.OpsToken))
	switch {
	case err != nil || removed.status != http.StatusOK:
		e.add("play", Wrong, "the score of %s on %s in %s could not be removed (%s): remove it manually", player, current.Date, e.Mode, removed.describe())
	case !seen:
		e.add("play", Wrong, "a score was accepted but is not on the board: %s", card.describe())
	default:
		e.add("play", Good, "submitted and removed a score of %s in %s on %s", player, e.Mode, current.Date)
	}
}

// standing is the used part of the answer of GET /v1/ops/status.
type standing struct {
	Problems  []struct{ What, Do string }
	Schedules []struct {
		Function string
		LastGood *struct{ Ended time.Time } `json:"last_good"`
		Next     time.Time
	}
}

// schedules checks the problems that the product itself reports, and the last runs.
func (e *examination) schedules(ctx context.Context) {
	if e.OpsToken == "" {
		return // stores has reported it
	}
	a, err := e.ask(ctx, http.MethodGet, "/v1/ops/status", "", bearer(e.OpsToken))
	var s standing
	switch {
	case err == nil && (a.status == http.StatusUnauthorized || a.status == http.StatusForbidden):
		return // reported already
	case err != nil || a.status != http.StatusOK || json.Unmarshal(a.body, &s) != nil:
		e.add("schedules", Wrong, "no status: %s", a.describe())
		return
	}
	for _, p := range s.Problems {
		e.add("status", Wrong, "%s. Fix: %s", p.What, p.Do)
	}
	if len(s.Problems) == 0 {
		e.add("status", Good, "no problems reported")
	}
	for _, one := range s.Schedules {
		if one.LastGood == nil {
			e.add("schedules", Note, "%s has not run yet; next run %s", one.Function, one.Next.Format(time.RFC3339))
			continue
		}
		e.add("schedules", Good, "%s succeeded at %s", one.Function, one.LastGood.Ended.Format(time.RFC3339))
	}
}
