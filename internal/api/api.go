// Package api is the product over HTTP: it reads requests, asks package board, and writes
// JSON. routes.go has the tables of all routes; package gate has a request let in as its
// row says; then come the handlers, in one file per resource, each with what it needs and
// no more. Package problem is the only place that turns an error into a status.
//
// It must not know Redis commands, key names or which host it runs on.
package api

import (
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
)

// API makes the handlers of each function.
type API struct {
	kernel
	config Config

	// What the functions of a process remember together.
	scores scores
	boards boards

	everywhere func() *http.ServeMux // made when it is first asked
}

// kernel is what the handlers of every resource have: the game and its clock, what lets
// their requests in, and where it is told that one went wrong.
type kernel struct {
	game     *game.Game
	now      func() time.Time
	log      *slog.Logger
	problems answers.Problems
	gate     *gate.Keeper
}

// New makes an API.
func New(c Config) *API {
	problems := answers.Problems{Log: c.Log, Now: c.Now}
	k := kernel{c.Game, c.Now, c.Log, problems, gate.New(gate.Config{
		Game: c.Game, Problems: problems, ProxyHops: c.ProxyHops,
		Sessions: c.Sessions, Signatures: c.Signatures, Operators: c.Operators, Webhooks: c.Webhooks, Devices: c.Devices,
		Halts: c.Notices, Limits: c.Limits, Idempotency: c.Idempotency, Presence: c.Presence,
	})}
	b := newBoards(k, c)
	return &API{
		kernel:     k,
		config:     c,
		scores:     newScores(k, c, b),
		boards:     b,
		everywhere: sync.OnceValue(func() *http.ServeMux { return newEverywhere(c.Game) }),
	}
}
