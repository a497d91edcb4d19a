package api_test

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	leaderboards "github.com/framedle/leaderboards"
	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/route"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/graph"
	"github.com/framedle/leaderboards/internal/feature/graph/engine"
	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/feature/queue"
	"github.com/framedle/leaderboards/internal/feature/queue/deadletters"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/lifecycle/recompute"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
	"github.com/framedle/leaderboards/internal/platform/budget"
	"github.com/framedle/leaderboards/internal/platform/host"
	"github.com/framedle/leaderboards/internal/platform/status"
	"github.com/framedle/leaderboards/internal/platform/template"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// testGame has a mode for every rule that the API has to know.
const testGame = `
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
	signingKey = "a-signing-key-of-32-or-more-characters"
	otherKey   = "another-server's-key-of-32-or-more-characters"
	opsToken   = "an-operators-token-of-32-or-more-characters"
	today      = "2026-11-18" // at noon
	yesterday  = "2026-11-17"
	longAgo    = "2026-09-01" // its board has left Redis
)

var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

// stack is the product over an embedded Redis: the functions on the routes of
// template.yaml, behind what every host puts before them. It holds each answer
// against the API's document.
type stack struct {
	secret string // of the deployment; "" for one that all processes share
	testing.TB
	game      string                      // its file
	costs     string                      // the limits of its file on commands; see open
	hops      int                         // proxies before it
	lambda    bool                        // no process lives on, so boards are streamed
	elsewhere string                      // or nowhere, where this is empty
	streams   func(*game.Game) *live.Live // else by this; nil: boards are empty, each for a moment
	events    *live.Publisher             // told of boards that change; nil: nobody
	redis     *testkit.Redis
	client    *upstash.Client
	clock     *testkit.Clock
	issuer    *authtest.Issuer
	handler   http.Handler
	contract  *contract
	exchanges *atomic.Int64 // requests that reached the Redis server
	tokens    map[string]string
	archive   recompute.Archive               // nil: none
	history   app.History                     // nil: none
	database  string                          // of friends; "": none
	audit     *bytes.Buffer                   // what is logged of removals without an archive
	queue     api.Queue                       // of enqueue; nil: none
	planned   *planned                        // the graph of the process made last
	graphOf   func(graph.Engine) http.Handler // of the same process, with another graph
	ingest    *queue.Ingest                   // of the process made last
	// What could not be taken in.
	deadRuns, deadScores *letters
	guard                *budget.Guard        // the same; nil without a budget
	elapsed              func() time.Duration // the age of what a process remembers; nil: real time
}

func newStack(tb testing.TB) *stack { return newStackAt(tb, "") }

// newStackAt is one over the Redis at an address; "" is an embedded one.
func newStackAt(tb testing.TB, address string) *stack {
	s := &stack{
		TB: tb, game: testGame, clock: testkit.Ticking(noon), issuer: authtest.New(tb), contract: loadContract(tb), exchanges: new(atomic.Int64), tokens: map[string]string{}, audit: new(bytes.Buffer),
		redis: testkit.NewRedis(tb, address, testkit.AtOnce), deadRuns: &letters{}, deadScores: &letters{},
	}
	s.handler = s.process()
	s.mendRedis()
	return s
}

// on is the same stack for a subtest.
func (s *stack) on(t *testing.T) *stack {
	sub := *s
	sub.TB = t
	return &sub
}

// process is the product with a memory of its own.
func (s *stack) process() http.Handler {
	return s.served(s.functions())
}

// declared is template.yaml.
var declared = sync.OnceValues(func() (*template.Template, error) { return template.Parse(leaderboards.Template) })

// served are functions behind the gateway that template.yaml declares.
func (s *stack) served(functions map[string]http.Handler) http.Handler {
	declared, err := declared()
	require.NoError(s, err)
	return host.Guard(declared.Gateway(functions), io.Discard)
}

// alone is one function without the others.
func (s *stack) alone(name string) http.Handler { return host.Guard(s.functions()[name], io.Discard) }

func (s *stack) functions() map[string]http.Handler {
	g, err := gamefile.Parse("testing.yaml", []byte(s.game))
	require.NoError(s, err)
	s.client = s.redis.Connect(testkit.AtOnce)
	signatures, err := auth.NewSignatures([]string{signingKey, otherKey}, s.clock.Now)
	require.NoError(s, err)
	operator, err := auth.NewOperator(opsToken)
	require.NoError(s, err)
	a := app.New(app.Parts{
		Secrets: []string{cmp.Or(s.secret, "a secret that all functions share")}, Elapsed: s.elapsed,
		Game: g, Redis: s.client, Now: s.clock.Now, Log: slog.New(slog.DiscardHandler),
		Sessions: s.issuer.Sessions(s.clock.Now), Signatures: breakable{signatures}, Operators: operator, ProxyHops: s.hops, LiveURL: s.elsewhere, Events: s.events, Webhooks: s.webhooks(), Devices: devices(s),
	})
	all := a.API(app.Kept{History: s.history})
	removals := &recompute.Service{Notices: a.Store().Notices, Repair: a.Store().Repair, Archive: s.archive, Also: a.Wallets().Erase, Log: slog.New(slog.NewJSONHandler(s.audit, nil))}
	s.ingest, s.guard = a.Ingest(), a.Guard()
	of := app.Services{
		Services: api.Services{Removals: removals, People: jobs.People(a, s.kept())}, Claims: jobs.Claims(a, nil), Leagues: jobs.Leagues(a, s.kept()),
		Usage: jobs.Usage(a, nil), Status: statusOf(s, a), Dead: s.queues(), Friends: befriending(a, s.kept()), News: jobs.Roster(a, s.kept()),
		Duels: jobs.Duels(a, nil), Races: jobs.Races(a, nil), Live: s.live(g),
	}
	if s.queue != nil {
		of.Queue = s.queue
	}
	made, err := engine.New(engine.Options{})
	require.NoError(s, err)
	s.planned = &planned{Engine: made}
	s.graphOf = func(g graph.Engine) http.Handler {
		with := of
		with.Graph = g
		return all.Function("graphql", with)
	}
	of.Graph = s.planned
	functions := all.Functions(of)
	functions["friends"] = jobs.NewProduct(a, s.kept()).Function("friends", jobs.Around{}) // in a process of its own
	return functions
}

// queues are those of dead letters; nil for none.
func (s *stack) queues() (q deadletters.Queues) {
	if s.deadRuns != nil {
		q.Runs = s.deadRuns
	}
	if s.deadScores != nil {
		q.Scores = s.deadScores
	}
	return q
}

// live streams boards; nil on Lambda, where callers are told where that is done.
func (s *stack) live(g *game.Game) *live.Live {
	switch {
	case s.lambda:
		return nil
	case s.streams != nil:
		return s.streams(g)
	}
	hub := live.NewHub(live.Options{Game: g, Now: s.clock.Now, Reader: emptiness{}, News: emptiness{}, Log: slog.New(slog.DiscardHandler)})
	s.Cleanup(hub.Close)
	records := live.NewRecords(live.RecordOptions{Now: s.clock.Now, News: emptiness{}, Log: slog.New(slog.DiscardHandler)})
	s.Cleanup(records.Close)
	return &live.Live{Hub: hub, Records: records, Seats: live.NewSeats(0, 0), Times: live.Times{Least: time.Millisecond, Most: 2 * time.Millisecond}}
}

type emptiness struct{}

func (emptiness) Top(_ context.Context, b game.Board, _, _ int64, _ bool) (game.Page, error) {
	return game.Page{Board: b}, nil
}
func (emptiness) Count(context.Context, game.Board) (int64, error) { return 0, nil }

func (emptiness) Every(game.Board) time.Duration                           { return 0 }
func (emptiness) Listen(ctx context.Context, _ func(string), _ func(bool)) { <-ctx.Done() }

func statusOf(s *stack, a *app.App) *status.Reporter {
	plan, err := status.NewPlan(func(string) string { return "" })
	require.NoError(s, err)
	return jobs.Status(a, nil, plan)
}

// panicHeader is a signature over which the verifier panics: a fault of ours.
const panicHeader = "panic"

type breakable struct{ gate.Signatures }

func (b breakable) Verify(header string, r auth.Request) (auth.Server, error) {
	if header == panicHeader {
		panic("a fault of the verifier")
	}
	return b.Signatures.Verify(header, r)
}

// fail has every request to Redis fail from now on.
func (s *stack) fail(f upstashtest.Fault) {
	s.redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault { s.exchanges.Add(1); return f })
}

func (s *stack) mendRedis() { s.fail(upstashtest.Fault{}) }

// spent is what f costs by the meter of the process made last.
func (s *stack) spent(f func()) (commands, roundTrips int64) {
	return testkit.Spent(s.client.Meter(), f)
}

// token is a good session token of a player.
func (s *stack) token(player string) string {
	now := s.clock.Now().Truncate(30 * time.Second)
	id := now.String() + player
	if s.tokens[id] == "" {
		s.tokens[id] = s.issuer.Token(authtest.Claims(player, now, nil))
	}
	return s.tokens[id]
}

// tokenWith is a session token with changed claims.
func (s *stack) tokenWith(player string, changes map[string]any) string {
	return s.issuer.Token(authtest.Claims(player, s.clock.Now(), changes))
}

// rows are the routes of all functions, for a game.
func rows(tb testing.TB, g *game.Game) []route.Route {
	a := app.New(app.Parts{
		Game: g, Redis: testkit.NewRedis(tb, "", testkit.AtOnce).Connect(testkit.AtOnce), Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	return a.API(app.Kept{}).Rows(app.Services{})
}

// allRows are the routes of all functions, for a game of one mode.
func allRows(tb testing.TB) []route.Route {
	return rows(tb, testkit.Game(tb, "name: testing\nmodes: {daily: {max: 10}}"))
}

// prices are what a request of each route may cost at most.
func prices(tb testing.TB) map[string]int {
	most := map[string]int{}
	for _, row := range allRows(tb) {
		most[row.Pattern] = row.Price.Most
	}
	return most
}
