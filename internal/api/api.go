// Package api is the product over HTTP: it reads requests, calls package board and the other
// domain packages, and writes JSON. routes.go lists every route. Package gate checks each
// request by its row there; then the handler runs. Each resource has one file with its
// handlers. Only package problem turns an error into a status.
//
// Package api must not know Redis commands, key names or which host it runs on.
package api

import (
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/devices"
	"github.com/framedle/leaderboards/internal/submission"
)

// API makes the handlers of each function. The handlers of a resource are methods of a type
// that holds the API, in the resource's file.
type API struct {
	Config
	problems answers.Problems

	// What the functions of one process remember in common.
	reads     *board.Reader
	saidStale atomic.Int64 // when the log last said that answers are stale, in ns
	reader    submission.Reader
	streaks   *board.Streaks
	claimed   devices.Claimed

	everywhere func() *http.ServeMux // made at the first request that needs it
}

// New makes an API.
func New(c Config) *API {
	a := &API{
		Config: c, problems: answers.Problems{Log: c.Log, Now: c.Now},
		reads:  board.NewReader(c.Boards, c.History, c.Lost),
		reader: submission.NewReader(c.Game, c.Plays), streaks: board.NewStreaks(c.Boards),
		claimed: devices.NewClaimed(c.Repair, c.Now),
	}
	a.everywhere = sync.OnceValue(func() *http.ServeMux { return newEverywhere(a) })
	return a
}
