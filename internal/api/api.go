// Package api is the product over HTTP: it reads requests, calls package leaderboard and the other
// domain packages, and writes JSON. routes.go collects the rows of all routes. Package gate checks
// each request by its row; then the handler runs. Each resource has one file with its
// handlers. Only package problem turns an error into a status.
//
// Package api must not know Redis commands, key names or which host it runs on.
package api

import (
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/api/submission"
	"github.com/framedle/leaderboards/internal/feature/device"
	"github.com/framedle/leaderboards/internal/leaderboard"
)

// API makes the handlers of each function. The handlers of a resource are methods of a type
// that holds the API, in the resource's file.
type API struct {
	Config
	problems respond.Problems

	// What the functions of one process remember in common.
	reads     *leaderboard.Reader
	saidStale atomic.Int64 // when the log last said that answers are stale, in ns
	reader    submission.Reader
	streaks   *leaderboard.Streaks
	claimed   device.Claimed

	everywhere func() *http.ServeMux // made at the first request that needs it
}

// New makes an API.
func New(c Config) *API {
	a := &API{
		Config: c, problems: respond.Problems{Log: c.Log, Now: c.Now},
		reads:  leaderboard.NewReader(c.Boards, c.History, c.Lost),
		reader: submission.NewReader(c.Game, c.Plays), streaks: leaderboard.NewStreaks(c.Boards),
		claimed: device.NewClaimed(c.Repair, c.Now),
	}
	a.everywhere = sync.OnceValue(newEverywhere)
	return a
}
