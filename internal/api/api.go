// Package api is the kernel over HTTP: it reads requests, calls package leaderboard and the other
// packages of the kernel, and writes JSON. Each resource has one file with its routes and their
// handlers; submission.go turns a body into a checked score. Features have routes too, and parts
// of some answers; package app puts all together. Package gate checks each request by its row; then the
// handler runs. Only package problem turns an error into a status.
//
// Package api must not know Redis commands, key names, any feature or which host it runs on.
package api

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	openapi "github.com/framedle/leaderboards/api"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/playerdata"
	"github.com/framedle/leaderboards/internal/platform/budget"
	"github.com/framedle/leaderboards/internal/player"
)

// Config is what New makes an API of.
type Config struct {
	Game     *game.Game
	Now      func() time.Time
	Log      *slog.Logger
	Patterns []string // of all routes, whichever function serves them

	// The boards, and what decides who may play.
	Gate     *gate.Guard
	Boards   *leaderboard.Store
	Calendar *derive.Calendar
	Notices  *control.Notices
	Profiles *player.Profiles
	History  History // nil without Postgres

	// What features add. A product without the feature leaves it out.
	Queued    bool           // single scores are written later, and none of modes with plays are taken
	Features  []string       // those that are on, as GET /v1/game lists them
	Described []respond.Part // of GET /v1/game
	Own       []OwnPart      // of GET /v1/me
	// Beside is called with scores before they are written; the caller calls done after the
	// write, and done waits until those who watch have been notified.
	Beside  func(...game.Submission) (done func())
	Groups  Groups
	Claimed DeviceClaims
	Plays   Plays
	Gains   []Gain // in the order in which answers are kept
	Exports []playerdata.Cost
	// Friends is a player's board of friends, for views, and FriendsSteady what it costs there.
	Friends       func(ctx context.Context, b game.Board, player string) (Page, budget.Measures, error)
	FriendsSteady int
}

// OwnPart reads what a feature adds to GET /v1/me while the rest is read. The function that it
// returns waits for that.
type OwnPart func(ctx context.Context, player string) func(leaderboard.Me) []respond.Part

// Groups knows which players are in which groups.
type Groups interface {
	Has(ctx context.Context, player string, groups []string) (bool, error)
}

// DeviceClaims knows which devices were claimed.
type DeviceClaims interface {
	// Check refuses a device that was claimed.
	Check(ctx context.Context, who gate.Caller) error
	// MayBeNamed refuses a device that may not change its name now.
	MayBeNamed(w http.ResponseWriter, r *gate.Request, counts *gate.Guard) error
}

// noGroups and noDevices are for products without these features.
type (
	noGroups  struct{}
	noDevices struct{}
)

func (noGroups) Has(context.Context, string, []string) (bool, error) { return false, nil }

func (noDevices) Check(context.Context, gate.Caller) error { return nil }

func (noDevices) MayBeNamed(http.ResponseWriter, *gate.Request, *gate.Guard) error { return nil }

// History answers for boards that have expired from Redis, and stores what has to outlive
// Redis. For a board that Redis still has, the API asks History only if Redis refuses, or
// says that a closed board has no entries.
type History interface {
	leaderboard.Archive
	// KeepProfile keeps what others see of a player.
	KeepProfile(ctx context.Context, player string, p game.Profile, at time.Time) error
}

// Services are what single functions need in addition to the API. The comments name the
// functions; in the others they may be missing.
type Services struct {
	Removals *lifecycle.Removals // of me and ops
	People   *playerdata.Service // of me and ops
}

// API makes the handlers of each function. The handlers of a resource are methods of a type
// that holds the API, in the resource's file.
type API struct {
	Config
	problems respond.Problems

	// What the functions of one process remember in common.
	boards  *Boards
	reads   *leaderboard.Reader
	reader  Reader
	streaks *leaderboard.Streaks

	everywhere func() *http.ServeMux // made at the first request that needs it
}

// New makes an API. The boards are those that features show too.
func New(c Config, b *Boards) *API {
	if c.Plays == nil {
		c.Plays = noPlays{}
	}
	if c.Groups == nil {
		c.Groups = noGroups{}
	}
	if c.Claimed == nil {
		c.Claimed = noDevices{}
	}
	if c.Beside == nil {
		c.Beside = func(...game.Submission) func() { return func() {} }
	}
	if c.Friends == nil {
		c.Friends = func(context.Context, game.Board, string) (Page, budget.Measures, error) {
			return Page{}, budget.Measures{}, problem.NoFriends()
		}
	}
	a := &API{
		Config: c, problems: respond.Problems{Log: c.Log, Now: c.Now},
		boards: b, reads: b.Reads, reader: Reader{c.Game, c.Plays}, streaks: leaderboard.NewStreaks(c.Boards),
	}
	a.everywhere = sync.OnceValue(a.newEverywhere)
	return a
}

// Intake are the routes of the functions that take scores. They are separate because these
// functions are to start fastest: they link nothing that serves other routes.
func (a *API) Intake() []gate.Route { return scores{a}.routes() }

// Routes are the other routes of the kernel.
func (a *API) Routes(s Services) []gate.Route {
	return slices.Concat(
		a.boards.Routes(),
		description{a}.routes(),
		newDocument(openapi.Document).routes(),
		me{a, s}.routes(),
		results{a, s.People}.routes(),
		exports{a, s.People}.routes(),
	)
}
