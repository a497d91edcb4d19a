// Package app wires the product together: configuration in, handlers out. It
// is the one place where every part meets; it decides nothing else.
package app

import (
	"crypto/rand"
	"log/slog"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/appsync"
	"github.com/framedle/leaderboards/internal/auth"
	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/budget"
	"github.com/framedle/leaderboards/internal/devices"
	"github.com/framedle/leaderboards/internal/friends/lists"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/held"
	"github.com/framedle/leaderboards/internal/idem"
	"github.com/framedle/leaderboards/internal/limit"
	"github.com/framedle/leaderboards/internal/play"
	"github.com/framedle/leaderboards/internal/play/once"
	"github.com/framedle/leaderboards/internal/presence"
	"github.com/framedle/leaderboards/internal/queue"
	"github.com/framedle/leaderboards/internal/roster"
	"github.com/framedle/leaderboards/internal/standings"
	"github.com/framedle/leaderboards/internal/usage"
	"github.com/framedle/leaderboards/upstash"
)

// Parts are what an App is made of. Verifiers may be nil: their kind of
// credential is then refused.
type Parts struct {
	Game       *game.Game
	Redis      *upstash.Client
	Sessions   gate.Sessions
	Signatures gate.Signatures
	Operators  gate.Operators
	Webhooks   gate.Webhooks
	Devices    devices.Tokens
	Now        func() time.Time
	Log        *slog.Logger
	// Secrets are what cursors and open ids are signed with, the same in every
	// function: the first signs, any opens a cursor; none: one of this process's own.
	Secrets []string
	// Elapsed is the age of what the process remembers; nil: see [standings.Options].
	Elapsed func() time.Duration
	// Later has something done in a while; nil: see [standings.Options].
	Later func(time.Duration, func())
	// Random draws from [0, 1) which commands of players are told of; nil: as chance
	// has it.
	Random func() float64
	// ProxyHops is how many proxies of one's own add to X-Forwarded-For.
	ProxyHops int
	// Maintenance is why nothing may be written; empty: Redis says whether.
	Maintenance string
	// LiveURL is where boards are streamed, for processes that do not; empty: nowhere.
	LiveURL string
	// Events are told of boards that change; nil: nobody is.
	Events *appsync.Publisher
	// Tracer follows calls in traces; nil: none does.
	Tracer usage.Tracer
	// Bands are the databases that boards in bands lie in, the first of them Redis; nil:
	// Redis alone.
	Bands *bands.Databases
	// SparesBytes asks for more commands in the place of long answers.
	SparesBytes bool
	// Plan is how many commands Upstash's plan carries in a month; 0 is the free one.
	Plan int64
}

// App is the wired product, but for what Postgres adds: package jobs brings that.
type App struct {
	parts  Parts
	secret auth.Secret
	store  *standings.Parts
	lists  *lists.Lists
	plays  *play.Dealer
	guard  *budget.Guard // nil: no budget

	origin origin
}

// New wires an App.
func New(p Parts) *App {
	guard := newGuard(p)
	secrets := []auth.Secret{}
	cursorKeys, playKeys := [][]byte{}, [][]byte{}
	for _, text := range p.Secrets {
		secrets = append(secrets, auth.NewSecret(text))
		cursorKeys = append(cursorKeys, secrets[len(secrets)-1].Key("cursor"))
		playKeys = append(playKeys, secrets[len(secrets)-1].Key(play.Purpose))
	}
	if len(secrets) == 0 {
		secrets = append(secrets, auth.NewSecret(""))
		playKeys = append(playKeys, secrets[0].Key(play.Purpose))
	}
	store := standings.New(standings.Options{
		Redis: p.Redis, Game: p.Game, Now: p.Now, Elapsed: p.Elapsed, Measures: guard.Measures,
		Later: p.Later, CursorKeys: cursorKeys, Maintenance: p.Maintenance, Bands: p.Bands,
		SparesBytes: p.SparesBytes,
		Unfinished: func(b game.Board) {
			p.Log.Warn("a board takes longer to be made than a request may take", "board", b.Key, "do", "give the function more memory: docs/scale.md, Weeks of many players")
		},
	})
	return &App{parts: p, secret: secrets[0], store: store, lists: lists.New(p.Redis), plays: play.NewDealer(p.Game, playKeys, rand.Reader), guard: guard}
}

// Kept is what Postgres adds to the API. The zero Kept is the product without it.
type Kept struct {
	History api.History
	Held    api.HeldPlays // nil: in Redis alone
	Lost    func()        // see api.Config
}

// API makes the handlers of every function. A process needs one: what it remembers
// is one memory.
func (a *App) API(k Kept) *api.API {
	p := a.parts
	if k.Held == nil {
		k.Held = a.Held()
	}
	return api.New(api.Config{
		Game: p.Game, Now: p.Now, Log: p.Log,
		Activity: a.store.Activity,
		Boards:   a.store.Boards, Beside: p.Events.Beside, Calendar: a.store.Rollup.Calendar, Notices: a.store.Notices, Profiles: a.store.Players, Lists: a.lists, Claimed: a.store.Repair,
		Sessions: p.Sessions, Signatures: p.Signatures, Operators: p.Operators, Webhooks: p.Webhooks, Devices: p.Devices,
		Secret: a.secret, Plays: a.plays, Held: k.Held, Sent: once.New(a.store.DB, a.store.Notices.Keys), Races: a.races(),
		Groups: roster.NewGroups(p.Redis),
		Limits: limit.New(limit.Options{
			Limits: p.Game.Limits, Store: limit.NewRedis(p.Redis), Now: p.Now,
			Spenders: a.store.Notices.Spenders, Random: p.Random,
		}),
		Idempotency: idem.New(p.Redis, p.Now), ProxyHops: p.ProxyHops, LiveURL: p.LiveURL, Plan: p.Plan,
		Wallets: a.store.Wallets, Presence: a.presence(),
		History: k.History, Lost: k.Lost,
	})
}

// presence counts who is there; nil where the game does not ask for it.
func (a *App) presence() *presence.Presence {
	if !a.parts.Game.Presence {
		return nil
	}
	return presence.New(a.parts.Redis, a.parts.Now, a.store.Notices.IsBanned)
}

// Watch meters the calls of one function, and counts what its days cost.
func (a *App) Watch(function string) *usage.Watch {
	return usage.New(a.watching(function))
}

func (a *App) watching(function string) usage.Options {
	return usage.Options{
		Function: function, Now: a.parts.Now, Counters: usage.NewCounters(a.parts.Redis, function, rand.Text()), Budget: a.guard,
		Tracer: a.parts.Tracer,
	}
}

// Ingest is what the function ingest does.
func (a *App) Ingest() *queue.Ingest {
	events := queue.Events{Log: a.parts.Log}
	if a.store.Activity != nil {
		events.Acts = a.store.Activity
	}
	return &queue.Ingest{Game: a.parts.Game, Store: a.store.Boards, Log: a.parts.Log, Beside: a.parts.Events.Beside, Events: events}
}

// Secret is what all functions of the deployment share.
func (a *App) Secret() auth.Secret { return a.secret }

// Plays hands out plays, and takes them back.
func (a *App) Plays() *play.Dealer { return a.plays }

// Held keeps plays that an operator has to look at.
func (a *App) Held() *held.Store { return held.New(a.store.DB) }

// Game is what the App serves.
func (a *App) Game() *game.Game { return a.parts.Game }

// Redis is where the App keeps everything.
func (a *App) Redis() *upstash.Client { return a.parts.Redis }

// Lists are the friends and blocks of every player, as boards and duels read them.
func (a *App) Lists() *lists.Lists { return a.lists }

// Store holds the boards.
func (a *App) Store() *standings.Parts { return a.store }

// Guard watches the game's budget; nil where it has none.
func (a *App) Guard() *budget.Guard { return a.guard }

// Plan is how many commands a month Upstash's plan carries; 0: the free one's.
func (a *App) Plan() int64 { return a.parts.Plan }

// Now is the product's clock.
func (a *App) Now() time.Time { return a.parts.Now() }

// Log is where the App tells what nobody is answered.
func (a *App) Log() *slog.Logger { return a.parts.Log }
