// Package app wires the product together: it reads the configuration and makes the handlers.
// It is the one place that knows every part, and it decides nothing else.
package app

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/idempotency"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/feature/live"
	"github.com/framedle/leaderboards/internal/feature/play"
	"github.com/framedle/leaderboards/internal/feature/play/review"
	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
	"github.com/framedle/leaderboards/internal/platform/budget"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/upstash"
)

// Parts are what New makes an App of. A nil verifier refuses its kind of credential.
type Parts struct {
	Game       *game.Game
	Redis      *upstash.Client
	Sessions   gate.Sessions
	Signatures gate.Signatures
	Operators  *auth.Operators
	Webhooks   *webhook.Verifier
	Devices    *auth.Devices
	Now        func() time.Time
	Log        *slog.Logger
	// Secrets sign cursors and open ids, and are the same in every function. The first one
	// signs; each one opens cursors. Without any, the process makes one of its own.
	Secrets []string
	// Elapsed is the clock for the age of what the process remembers; nil: see
	// [lifecycle.Options].
	Elapsed func() time.Duration
	// ProxyHops is how many proxies in front of the product add to X-Forwarded-For.
	ProxyHops int
	// Maintenance is why nothing may be written; if it is empty, Redis says whether writes
	// are allowed.
	Maintenance string
	// Queued says that single scores are queued.
	Queued bool
	// LiveURL is where callers are sent for streams by processes that stream none; empty:
	// nowhere.
	LiveURL string
	// Events publishes which boards change; nil: nothing is published.
	Events *live.Publisher
	// Tracer records calls in traces; nil: no traces.
	Tracer usage.Tracer
	// Bands are the databases of boards in bands, Redis first; nil: Redis only.
	Bands *bands.Databases
	// Plan is how many commands a month Upstash's plan includes; 0: the free plan's;
	// [usage.NoPlan]: Redis is one's own.
	Plan int64
}

// App is the wired product without the parts that Postgres adds; package jobs adds those.
type App struct {
	parts  Parts
	secret auth.Secret
	store  *lifecycle.Parts
	// What features keep in the same Redis.
	wallets     *wallet.Wallets
	activity    *activity.Activity // nil: the game has none
	lists       *friend.Cache
	friendCodes friend.Codes
	plays       *play.Dealer
	guard       *budget.Guard // nil: the game has no budget
	// metrics get every call of the process, whichever Watch meters it; nil: there are none.
	metrics usage.Recorder

	origin origin
}

// New wires an App.
func New(p Parts) *App {
	guard := newGuard(p)
	secrets := []auth.Secret{}
	cursorKeys := [][]byte{}
	playKeys := [][]byte{}
	friendCodes := friend.Codes{}
	for _, text := range p.Secrets {
		secrets = append(secrets, auth.NewSecret(text))
		cursorKeys = append(cursorKeys, secrets[len(secrets)-1].Key("cursor"))
		playKeys = append(playKeys, secrets[len(secrets)-1].Key(play.Purpose))
		friendCodes = append(friendCodes, secrets[len(secrets)-1].Key(friend.CodesPurpose))
	}
	if len(secrets) == 0 {
		secrets = append(secrets, auth.NewSecret(""))
		playKeys = append(playKeys, secrets[0].Key(play.Purpose))
		friendCodes = append(friendCodes, secrets[0].Key(friend.CodesPurpose))
	}
	store := lifecycle.New(lifecycle.Options{
		Redis: p.Redis, Game: p.Game, Now: p.Now, Elapsed: p.Elapsed, Measures: guard.Measures,
		CursorKeys: cursorKeys, Maintenance: p.Maintenance, Bands: p.Bands,
		Unfinished: func(b game.Board) {
			p.Log.Warn("a board takes longer to build than a request may take", "board", b.Key, "do", "give the function more memory: docs/operate/scale.md, Weeks of many players")
		},
	})
	return &App{
		parts: p, secret: secrets[0], store: store, guard: guard,
		wallets:     wallet.New(store.DB),
		activity:    activity.NewIn(store),
		lists:       friend.NewCache(p.Redis),
		friendCodes: friendCodes,
		plays:       play.NewDealer(p.Game, playKeys, rand.Reader),
	}
}

// gateConfig is what lets requests in.
func (a *App) gateConfig() gate.Config {
	p := a.parts
	return gate.Config{
		Game: p.Game, Problems: respond.Problems{Log: p.Log, Now: p.Now}, ProxyHops: p.ProxyHops,
		Sessions: p.Sessions, Signatures: p.Signatures, Operators: p.Operators, Webhooks: p.Webhooks, Devices: p.Devices,
		Notices:     a.store.Notices,
		Limits:      limit.New(limit.Options{Limits: p.Game.Limits, Store: limit.NewRedis(p.Redis), Now: p.Now}),
		Idempotency: idempotency.New(p.Redis, p.Now),
	}
}

// Watch meters the calls of one function, and counts what they cost each day.
func (a *App) Watch(function string) *usage.Watch {
	return usage.New(a.watching(function))
}

func (a *App) watching(function string) usage.Options {
	return usage.Options{
		Function: function, Now: a.parts.Now, Counters: usage.NewCounters(a.parts.Redis, function, rand.Text()), Budget: a.guard,
		Tracer: a.parts.Tracer, Metrics: a.metrics,
	}
}

// Secret is the secret that all functions of the deployment share.
func (a *App) Secret() auth.Secret { return a.secret }

// Plays hands out plays, and opens those that come back with a score.
func (a *App) Plays() *play.Dealer { return a.plays }

// HeldPlays keeps plays that an operator has to look at.
func (a *App) HeldPlays() *review.Store { return review.New(a.store.DB) }

// Game is what the App serves.
func (a *App) Game() *game.Game { return a.parts.Game }

// Redis is the main database of the App.
func (a *App) Redis() *upstash.Client { return a.parts.Redis }

// Lists are the friends and blocks of every player, as boards and duels read them.
func (a *App) Lists() *friend.Cache { return a.lists }

// Store holds the boards.
func (a *App) Store() *lifecycle.Parts { return a.store }

// Wallets are what players have earned and spent.
func (a *App) Wallets() *wallet.Wallets { return a.wallets }

// Activity counts what players do; nil if the game has no rules of activity.
func (a *App) Activity() *activity.Activity { return a.activity }

// Guard watches the game's budget; nil if the game has none.
func (a *App) Guard() *budget.Guard { return a.guard }

// Plan is [Parts].Plan.
func (a *App) Plan() int64 { return a.parts.Plan }

// Now is the product's clock.
func (a *App) Now() time.Time { return a.parts.Now() }

// Log is the log of everything that no answer says.
func (a *App) Log() *slog.Logger { return a.parts.Log }

// races gets the scores of plays that belong to a race; nil if the game has no races.
func (a *App) races() *race.Store {
	if race.RulesOf(a.parts.Game) == nil {
		return nil
	}
	return race.New(race.Options{Redis: a.parts.Redis, Game: a.parts.Game, Now: a.parts.Now})
}

// newGuard makes the guard of the game's budget. It logs each change of its measures.
func newGuard(p Parts) *budget.Guard {
	return budget.New(p.Game.Budget, p.Now, func(c budget.Change) {
		p.Log.LogAttrs(context.Background(), slog.LevelWarn, "the degradation of the budget has changed",
			slog.Int("level", c.To.Level()), slog.String("degraded", c.To.String()), slog.String("before", c.From.String()),
			slog.String("pace", fmt.Sprintf("%.1f%%", 100*c.Pace)),
			slog.Int64("today", c.Spent.Today), slog.Int64("month_before", c.Spent.Before), slog.Int64("budget", p.Game.Budget.Month))
	})
}
