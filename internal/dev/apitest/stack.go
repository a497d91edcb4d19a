// Package apitest is the kit of tests that call the product over HTTP: a [Stack] is the product over
// an embedded Redis, and each answer is compared with the API's document. It has requests,
// players and games that the tests of the kernel and of several features begin with.
package apitest

import (
	"bytes"
	"cmp"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/graph"
	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
	"github.com/framedle/leaderboards/internal/platform/budget"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/template"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// TestGame has a mode for every rule that the API has to know.
const TestGame = `
name: testing
grace: 15m
cache: 60s
anonymous: true
limits: {submit: {player: off}, boards: {player: off}, commands: {player: off}}
modes:
  daily: {max: 1000, xp: 1, scopes: [country, region, group], details: true}
  longest: {policy: best, max: 100000, scopes: [country]}
  fastest: {policy: best, order: asc, decimals: 2, max: 3600}
  newest: {policy: latest, min: -50, max: 50, aggregate: last}
  coins: {policy: sum, max: 500, day_max: 1000, scopes: [country]}
  judged: {max: 100, authoritative: true}
  tied: {max: 20, ties: shared}
`

const (
	SigningKey = "a-signing-key-of-32-or-more-characters"
	OtherKey   = "another-server's-key-of-32-or-more-characters"
	OpsToken   = "an-operators-token-of-32-or-more-characters"
	Today      = "2026-11-18" // at noon
	Yesterday  = "2026-11-17"
	LongAgo    = "2026-09-01" // its board has left Redis
)

var Noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

// Stack is the product over an embedded Redis: the functions on the routes of
// template.yaml, behind what every host puts before them. It holds each answer
// against the API's document.
type Stack struct {
	Secret string // of the deployment; "" for one that all processes share
	testing.TB
	Game      string                      // its file
	Costs     string                      // the limits of its file on commands; see open
	Hops      int                         // proxies before it
	Lambda    bool                        // no process lives on, so boards are streamed
	Elsewhere string                      // or nowhere, where this is empty
	streams   func(*game.Game) *live.Live // else by this; nil: boards are empty, each for a moment
	Events    *live.Publisher             // announces boards that change; nil: none
	Redis     *testkit.Redis
	Client    *upstash.Client
	Clock     *testkit.Clock
	Issuer    *authtest.Issuer
	Handler   http.Handler
	Contract  *Contract
	Exchanges *atomic.Int64 // requests that reached the Redis server
	tokens    map[string]string
	Archive   lifecycle.RemovalArchive        // nil: none
	History   app.History                     // nil: none
	Database  string                          // of friends; "": none
	Audit     *bytes.Buffer                   // what is logged of removals without an archive
	Queued    bool                            // scores are said to be written later
	Queue     queue.Putter                    // of enqueue; nil: none
	Planned   *Planned                        // the graph of the process made last
	GraphOf   func(graph.Engine) http.Handler // of the same process, with another graph
	ingest    *queue.Ingest                   // of the process made last
	// What could not be taken in.
	DeadRuns, DeadScores *Letters
	Guard                *budget.Guard        // the same; nil without a budget
	Elapsed              func() time.Duration // the age of what a process remembers; nil: real time
}

func NewStack(tb testing.TB) *Stack { return NewStackAt(tb, "") }

// NewStackAt is one over the Redis at an address; "" is an embedded one.
func NewStackAt(tb testing.TB, address string) *Stack {
	s := &Stack{
		TB: tb, Game: TestGame, Clock: testkit.Ticking(Noon), Issuer: authtest.New(tb), Contract: LoadContract(tb), Exchanges: new(atomic.Int64), tokens: map[string]string{}, Audit: new(bytes.Buffer),
		Redis:    testkit.NewRedis(tb, address, testkit.AtOnce),
		DeadRuns: &Letters{}, DeadScores: &Letters{},
	}
	s.Handler = s.Process()
	s.MendRedis()
	return s
}

// On is the same stack for a subtest.
func (s *Stack) On(t *testing.T) *Stack {
	sub := *s
	sub.TB = t
	return &sub
}

// Process is the product with a memory of its own.
func (s *Stack) Process() http.Handler {
	return s.Served(s.Functions())
}

// declared is template.yaml.
var declared = sync.OnceValues(func() (*template.Template, error) { return template.Parse(leaderboards.Template) })

// Served are functions behind the gateway that template.yaml declares.
func (s *Stack) Served(functions map[string]http.Handler) http.Handler {
	declared, err := declared()
	require.NoError(s, err)
	return host.Guard(declared.Gateway(functions), io.Discard)
}

// Alone is one function without the others.
func (s *Stack) Alone(name string) http.Handler { return host.Guard(s.Functions()[name], io.Discard) }

func (s *Stack) Functions() map[string]http.Handler {
	g, err := gamefile.Parse("testing.yaml", []byte(s.Game))
	require.NoError(s, err)
	s.Client = s.Redis.Connect(testkit.AtOnce)
	signatures, err := auth.NewSignatures([]string{SigningKey, OtherKey}, s.Clock.Now)
	require.NoError(s, err)
	operators := Operators(s)
	a := app.New(app.Parts{
		Secrets: []string{cmp.Or(s.Secret, "a secret that all functions share")}, Elapsed: s.Elapsed,
		Game: g, Redis: s.Client, Now: s.Clock.Now, Log: slog.New(slog.DiscardHandler),
		Sessions: s.Issuer.Sessions(s.Clock.Now), Signatures: Breakable{signatures}, Operators: operators, ProxyHops: s.Hops, LiveURL: s.Elsewhere, Queued: s.Queued, Webhooks: s.webhooks(), Devices: devices(s),
		Events: s.Events,
	})
	all := a.API(app.PostgresParts{History: s.History})
	removals := &lifecycle.Removals{Notices: a.Store().Notices, Repair: a.Store().Repair, Archive: s.Archive, Log: slog.New(slog.NewJSONHandler(s.Audit, nil))}
	removals.Also = a.Wallets().Erase
	s.ingest = a.Ingest()
	s.Guard = a.Guard()
	of := app.Services{
		Services: api.Services{Removals: removals, People: jobs.People(a, s.Kept())},
		Claims:   jobs.Claims(a, nil),
		Leagues:  jobs.Leagues(a, s.Kept()),
		Audit:    jobs.AuditRecord(s.Kept()),
		Usage:    jobs.Usage(a, nil), Status: statusOf(s, a),
		Friends: jobs.Friendships(a, s.Kept()),
		News:    jobs.Roster(a, s.Kept()),
		Duels:   jobs.Duels(a, nil),
		Races:   jobs.Races(a, nil),
		Live:    s.live(g),
	}
	s.serveQueue(&of)
	s.serveGraph(all, &of)
	functions := all.Functions(of)
	functions["friends"] = jobs.NewProduct(a, s.Kept()).Function("friends", jobs.Around{}) // in a process of its own
	return functions
}

func statusOf(s *Stack, a *app.App) *status.Reporter {
	plan, err := status.NewPlan(func(string) string { return "" })
	require.NoError(s, err)
	return jobs.Status(a, nil, plan)
}

// PanicHeader is a signature over which the verifier panics: a fault of ours.
const PanicHeader = "panic"

type Breakable struct{ gate.Signatures }

func (b Breakable) Verify(header string, r auth.Request) (auth.Server, error) {
	if header == PanicHeader {
		panic("a fault of the verifier")
	}
	return b.Signatures.Verify(header, r)
}

// FailRedis has every request to Redis fail from now on.
func (s *Stack) FailRedis(f upstashtest.Fault) {
	s.Redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault { s.Exchanges.Add(1); return f })
}

func (s *Stack) MendRedis() { s.FailRedis(upstashtest.Fault{}) }

// Spent is what f costs by the meter of the process made last.
func (s *Stack) Spent(f func()) (commands, roundTrips int64) {
	return testkit.Spent(s.Client.Meter(), f)
}

// Token is a good session token of a player.
func (s *Stack) Token(player string) string {
	now := s.Clock.Now().Truncate(30 * time.Second)
	id := now.String() + player
	if s.tokens[id] == "" {
		s.tokens[id] = s.Issuer.Token(authtest.Claims(player, now, nil))
	}
	return s.tokens[id]
}

// TokenWith is a session token with changed claims.
func (s *Stack) TokenWith(player string, changes map[string]any) string {
	return s.Issuer.Token(authtest.Claims(player, s.Clock.Now(), changes))
}

// rows are the routes of all functions, for a game.
func rows(tb testing.TB, g *game.Game) []gate.Route {
	a := app.New(app.Parts{
		Game: g, Redis: testkit.NewRedis(tb, "", testkit.AtOnce).Connect(testkit.AtOnce), Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	return a.API(app.PostgresParts{}).Rows(app.Services{})
}

// AllRows are the routes of all functions, for a game of one mode.
func AllRows(tb testing.TB) []gate.Route {
	return rows(tb, testkit.Game(tb, "name: testing\nmodes: {daily: {max: 10}}"))
}

// Prices are what a request of each route may cost at most.
func Prices(tb testing.TB) map[string]int {
	most := map[string]int{}
	for _, row := range AllRows(tb) {
		most[row.Pattern] = row.Price.Most
	}
	return most
}

const webhookSecret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"

func (s *Stack) webhooks() *webhook.Verifier {
	v, err := webhook.NewVerifier([]string{webhookSecret}, s.Clock.Now)
	require.NoError(s, err)
	return v
}

// ClerkMessage is a message of Clerk with a good signature.
func (s *Stack) ClerkMessage(id, body string) Call { return s.ClerkMessageAt(id, body, s.Clock.Now()) }

func (s *Stack) ClerkMessageAt(id, body string, at time.Time) Call {
	h, err := webhook.Sign(webhookSecret, id, at, []byte(body))
	require.NoError(s, err)
	return Post(ClerkPath, body).With("svix-id", h.ID).With("svix-timestamp", h.Timestamp).With("svix-signature", h.Signature)
}

const ClerkPath = "/v1/webhooks/clerk"

// Adds adds a section to the game, if it has none yet.
func (s *Stack) Adds(section string) {
	if !strings.Contains(s.Game, section) {
		s.Game += section
		s.Handler = s.Process()
	}
}

// InGame has a call made in a game with a section.
func InGame(section string, c func(*Stack) Call) func(*Stack) Call {
	return func(s *Stack) Call {
		s.Adds(section)
		return c(s)
	}
}
