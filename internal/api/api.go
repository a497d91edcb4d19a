// Package api is the product over HTTP: it reads requests, checks who is
// calling, asks package board, and writes JSON. routes.go is the table of all
// routes; bind.go has a request let in as its row says; then come the handlers, in
// one file per resource. problem.go is the only place that turns an error into a
// status.
//
// It must not know Redis commands, key names or which host it runs on.
package api

import (
	"net/http"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/framedle/leaderboards/internal/game"
)

// API makes the handlers of each function.
type API struct {
	Config
	standings  *lru.Cache[standing, game.Score]
	repeats    *lru.Cache[string, time.Time] // a player's last repeat that was free
	devices    *lru.Cache[string, deviceState]
	places     *lru.Cache[string, place]
	staleTold  *atomic.Int64 // when the log last told that answers are stale, in ns
	everywhere *http.ServeMux

	documentTag string // of Config.OpenAPI
}

// New makes an API.
func New(c Config) *API {
	standings, _ := lru.New[standing, game.Score](rememberStandings) // fails for sizes below one only
	repeats, _ := lru.New[string, time.Time](rememberStandings)
	devices, _ := lru.New[string, deviceState](rememberStandings)
	return &API{c, standings, repeats, devices, newPlaces(), new(atomic.Int64), everywhere(), entityTag(c.OpenAPI)}
}

// requestID is the header in which a host names the request.
const requestID = "X-Request-Id"
