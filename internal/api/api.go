// Package api is the product over HTTP: it reads requests, calls package board and the other
// domain packages, and writes JSON. routes.go lists every route. Package gate checks each
// request by its row there; then the handler runs. Each resource has one file with its
// handlers and only what they need. Only package problem turns an error into a status.
//
// Package api must not know Redis commands, key names or which host it runs on.
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

	// What the functions of one process remember in common.
	scores scores
	boards boards

	everywhere func() *http.ServeMux // made at the first request that needs it
}

// kernel is what the handlers of every resource have: the game, its clock, the gate, and
// where errors are answered and logged.
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
