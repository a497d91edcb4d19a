// Package api is the product over HTTP: it reads requests, checks who is
// calling, asks package board, and writes JSON. One file per resource;
// problem.go is the only place that turns an error into a status.
//
// It must not know Redis commands, key names or which host it runs on.
package api

import (
	"net/http"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
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

// routes are a function's endpoints by ServeMux pattern.
type routes map[string]endpoint

func (a *API) submitRoutes() routes {
	return routes{
		"POST /v1/scores":       a.postScore,
		"POST /v1/scores/batch": a.postScores,
	}
}

func (a *API) leaderboardRoutes() routes {
	return routes{
		"GET /v1/leaderboards/{mode}":                  a.limited(a.getPage),
		"GET /v1/leaderboards/{mode}/players/{player}": a.limited(a.getCard),
		"GET /v1/leaderboards/{mode}/around/{player}":  a.limited(a.getAround),
		"POST /v1/leaderboards/{mode}/lookup":          a.limited(a.postLookup),
		"GET /openapi.yaml":                            a.limited(a.getOpenAPI),
	}
}

// Submit is the handler of the function submit.
func (a *API) Submit() http.Handler { return a.router(a.submitRoutes()) }

// Leaderboard is the handler of the function leaderboard.
func (a *API) Leaderboard() http.Handler { return a.router(a.leaderboardRoutes()) }

// endpoint answers one route. It writes its own success; an error it returns
// is written as a problem.
type endpoint func(w http.ResponseWriter, r *http.Request) error

// router serves a function's routes. Everything else is answered with a
// problem that knows the routes of all functions, since any of them may be the
// one that a host sends stray requests to.
func (a *API) router(own routes) http.Handler {
	mux := http.NewServeMux()
	for pattern, serve := range own {
		mux.Handle(pattern, a.handler(a.changing(pattern, serve), held(pattern)))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isClean(r.URL.Path) {
			if _, pattern := mux.Handler(r); pattern != "" {
				mux.ServeHTTP(w, r)
				return
			}
		}
		a.writeProblem(w, r, a.noRoute(w.Header(), r))
	})
}

// handler serves one route, of which one request costs so many commands at most.
func (a *API) handler(serve endpoint, price int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// One caller reads its own writes: all of a request's calls share a token.
		r, spent := a.spend(r.WithContext(upstash.WithSync(r.Context(), new(upstash.Sync))), price)
		defer spent.settle()
		if err := serve(w, r); err != nil {
			a.writeProblem(w, r, a.afterFailure(w, r, err))
		}
	})
}
