// Package app wires the product together: configuration in, handlers out. It
// is the one place where every part meets; it decides nothing else.
package app

import (
	"log/slog"
	"net/http"
	"time"

	openapi "github.com/framedle/leaderboards/api"
	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/budget"
	"github.com/framedle/leaderboards/internal/claim"
	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/friends/lists"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/idem"
	"github.com/framedle/leaderboards/internal/limit"
	"github.com/framedle/leaderboards/internal/people"
	"github.com/framedle/leaderboards/internal/removal"
	"github.com/framedle/leaderboards/internal/roster"
	"github.com/framedle/leaderboards/internal/usage"
	"github.com/framedle/leaderboards/upstash"
)

// Parts are what an App is made of. Verifiers may be nil: their kind of
// credential is then refused.
type Parts struct {
	Game       *game.Game
	Redis      *upstash.Client
	Sessions   api.Sessions
	Signatures api.Signatures
	Operators  api.Operators
	Webhooks   api.Webhooks
	Devices    api.Devices
	Now        func() time.Time
	Log        *slog.Logger
	// Secrets are what cursors and open ids are signed with, the same in every
	// function: the first signs, any opens a cursor; none: one of this process's own.
	Secrets []string
	// Elapsed is the age of what the process remembers; nil: see [board.Options].
	Elapsed func() time.Duration
	// Later has something done in a while; nil: see [board.Options].
	Later func(time.Duration, func())
	// ProxyHops is how many proxies of one's own add to X-Forwarded-For.
	ProxyHops int
	// Maintenance is why nothing may be written; empty: Redis says whether.
	Maintenance string
	// Plan is how many commands Upstash's plan carries in a month; 0 is the free one.
	Plan int64
}

// App is the wired product. A function uses the part that is its own.
type App struct {
	secret auth.Secret
	game   *game.Game
	store  *board.Store
	redis  *upstash.Client
	lists  *lists.Lists
	api    *api.API
	log    *slog.Logger
	now    func() time.Time
	plan   int64
	guard  *budget.Guard // nil: no budget

	origin origin
}

// New wires an App.
func New(p Parts) *App {
	guard := newGuard(p)
	secrets := []auth.Secret{}
	cursorKeys := [][]byte{}
	for _, text := range p.Secrets {
		secrets = append(secrets, auth.NewSecret(text))
		cursorKeys = append(cursorKeys, secrets[len(secrets)-1].Key("cursor"))
	}
	if len(secrets) == 0 {
		secrets = append(secrets, auth.NewSecret(""))
	}
	store := board.New(board.Options{
		Redis: p.Redis, Game: p.Game, Now: p.Now, Elapsed: p.Elapsed, Frugal: guard.Measures,
		Later: p.Later, CursorKeys: cursorKeys, Maintenance: p.Maintenance,
	})
	return &App{
		game: p.Game, secret: secrets[0], store: store, redis: p.Redis, lists: lists.New(p.Redis), log: p.Log, now: p.Now, plan: p.Plan, guard: guard,
		api: api.New(api.Config{
			Game: p.Game, Store: store, Now: p.Now, Log: p.Log, OpenAPI: openapi.Document,
			Sessions: p.Sessions, Signatures: p.Signatures, Operators: p.Operators, Webhooks: p.Webhooks, Devices: p.Devices,
			Secret:      secrets[0],
			Claims:      &claim.Service{Store: store},
			Groups:      roster.NewGroups(p.Redis),
			Limits:      limit.New(limit.Options{Limits: p.Game.Limits, Store: limit.NewRedis(p.Redis), Now: p.Now}),
			Idempotency: idem.New(p.Redis, p.Now), ProxyHops: p.ProxyHops,
			Usage: usage.NewLedger(p.Redis, nil), Plan: p.Plan,
		}),
	}
}

// WithHistory is the App with a history, for boards that have left Redis.
func (a *App) WithHistory(h api.History) *App {
	with := *a
	with.api = a.api.WithHistory(h)
	return &with
}

// WithClaims is the App with claims that know an archive as well.
func (a *App) WithClaims(c *claim.Service) *App {
	with := *a
	with.api = a.api.WithClaims(c)
	return &with
}

// WithPeople is the App with what is kept of each player.
func (a *App) WithPeople(p *people.Service) *App {
	with := *a
	with.api = a.api.WithPeople(p)
	return &with
}

// Secret is what all functions of the deployment share.
func (a *App) Secret() auth.Secret { return a.secret }

// WithUsage is the App with a ledger that knows an archive as well.
func (a *App) WithUsage(l *usage.Ledger) *App {
	with := *a
	with.api = a.api.WithUsage(l)
	return &with
}

// Methods are those that the request's path has, on whichever function.
func (a *App) Methods(r *http.Request) []string { return a.api.Methods(r) }

// Submit is the handler of the function submit.
func (a *App) Submit() http.Handler { return a.api.Submit() }

// Leaderboard is the handler of the function leaderboard.
func (a *App) Leaderboard() http.Handler { return a.api.Leaderboard() }

// Friends is the handler of the function friends; f is nil without a database.
func (a *App) Friends(f api.Friends) http.Handler { return a.api.Friends(f, a.lists) }

// Webhook is the handler of the function webhook.
func (a *App) Webhook(n api.News) http.Handler { return a.api.Webhook(n) }

// Duel is the handler of the function duel.
func (a *App) Duel(s *duel.Store) http.Handler { return a.api.Duel(s) }

// Ops is the handler of the function ops.
func (a *App) Ops(r *removal.Service, s api.Status) http.Handler { return a.api.Ops(r, s) }

// Me is the handler of the function me.
func (a *App) Me(r *removal.Service) http.Handler { return a.api.Me(r) }

// All is the handler of all routes, for a process that serves them alone.
func (a *App) All(s api.Services) http.Handler {
	s.Lists = a.lists
	return a.api.All(s)
}

// Game is what the App serves.
func (a *App) Game() *game.Game { return a.game }

// Redis is where the App keeps everything.
func (a *App) Redis() *upstash.Client { return a.redis }

// Lists are the friends and blocks of every player, as boards and duels read them.
func (a *App) Lists() *lists.Lists { return a.lists }

// Store holds the boards.
func (a *App) Store() *board.Store { return a.store }

// Plan is how many commands a month Upstash's plan carries; 0: the free one's.
func (a *App) Plan() int64 { return a.plan }

// Now is the product's clock.
func (a *App) Now() time.Time { return a.now() }

// Log is where the App tells what nobody is answered.
func (a *App) Log() *slog.Logger { return a.log }
