package api

import (
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/friendships"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/problem"
	"github.com/framedle/leaderboards/internal/race"
	"github.com/framedle/leaderboards/internal/roster"
	"github.com/framedle/leaderboards/internal/viewing"
)

// Submit is the handler of the function submit.
func (a *API) Submit() http.Handler { return a.router(submitRoutes(a)) }

// Enqueue is the handler of the function enqueue, which replaces submit on the route for
// single scores.
func (a *API) Enqueue(q Queue) http.Handler { return a.router(enqueueRoutes(a, q)) }

// Leaderboard is the handler of the function leaderboard.
func (a *API) Leaderboard() http.Handler {
	return a.router(leaderboardRoutes(a, liveElsewhere(a)))
}

// Live is the handler of the function leaderboard in a process that streams boards.
func (a *API) Live(l *viewing.Live, duels *duel.Store, races *race.Store) http.Handler {
	return a.router(leaderboardRoutes(a, liveHere(a, Services{Live: l, Duels: duels, Races: races})))
}

// Me is the handler of the function me.
func (a *API) Me(s Services) http.Handler { return a.router(meRoutes(a, s)) }

// Friends is the handler of the function friends. Without a database f is nil, and the
// handler refuses every request.
func (a *API) Friends(f friendships.Friends) http.Handler {
	return a.router(friendsRoutes(a, f))
}

// Duel is the handler of the function duel, which has races too.
func (a *API) Duel(s *duel.Store, r *race.Store) http.Handler {
	return a.router(duelRoutes(a, s, r))
}

// Events is the handler of the function events.
func Events(a *API) http.Handler { return a.router(eventsRoutes(a)) }

// GraphQL is the handler of the function graphql. Without a database, f is nil.
func GraphQL(a *API, g Graphs, f friendships.Friends, d *duel.Store) http.Handler {
	return a.router(graphRoutes(a, g, f, d))
}

// Ops is the handler of the function ops.
func (a *API) Ops(s Services) http.Handler { return a.router(opsRoutes(a, s)) }

// Webhook is the handler of the function webhook.
func (a *API) Webhook(n *roster.Roster) http.Handler { return a.router(webhookRoutes(a, n)) }

// All is the handler of every route, for a process that serves the whole API.
func (a *API) All(s Services) http.Handler {
	return a.router(
		submitRoutes(a), leaderboardRoutes(a, liveHere(a, s)), meRoutes(a, s), friendsRoutes(a, s.Friends),
		duelRoutes(a, s.Duels, s.Races), graphRoutes(a, s.Graphs, s.Friends, s.Duels), opsRoutes(a, s),
		webhookRoutes(a, s.News), eventsRoutes(a))
}

// RefuseInvalid counts an invalid credential for something that is no route of the API; see
// package gate.
func (a *API) RefuseInvalid(w http.ResponseWriter, r *http.Request) bool {
	return a.Gate.RefuseInvalid(w, r)
}

// router serves the routes of some functions. It answers every other request with a problem
// that takes the routes of all functions into account, because a host may send stray requests
// to any function.
func (a *API) router(tables ...[]route) http.Handler {
	mux := http.NewServeMux()
	for _, table := range tables {
		for _, row := range table {
			mux.Handle(row.pattern, a.Gate.Handler(row.terms(), row.serve))
		}
	}
	stray := func(w http.ResponseWriter, r *http.Request) {
		r.Pattern = "" // a problem has no route
		a.problems.Write(w, r, a.noRoute(w.Header(), r))
	}
	mux.HandleFunc("/", stray)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isClean(r.URL.Path) {
			mux.ServeHTTP(w, r)
			return
		}
		stray(w, r)
	})
}

// methods are those that a route may have, for the Allow header.
var methods = [...]string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// isClean reports whether ServeMux would serve a path rather than redirect.
func isClean(p string) bool {
	return p != "" && p[0] == '/' && path.Clean(p) == p
}

// newEverywhere registers the routes of all functions for matching only. It takes them from
// Budgets, so that a function does not link the handlers of other functions.
func newEverywhere(g *game.Game) *http.ServeMux {
	mux := http.NewServeMux()
	for pattern := range Budgets(g) {
		mux.Handle(pattern, http.NotFoundHandler())
	}
	return mux
}

// Methods are the methods of the request's path, whichever function serves them; none if no
// route has this path.
func (a *API) Methods(r *http.Request) []string {
	if !isClean(r.URL.Path) {
		return nil
	}
	var allowed []string
	everywhere := a.everywhere()
	for _, method := range methods {
		probe := &http.Request{Method: method, URL: r.URL, Host: r.Host}
		if _, pattern := everywhere.Handler(probe); pattern != "" {
			allowed = append(allowed, method)
		}
	}
	return allowed
}

// noRoute answers a wrong method or a wrong path. A route that another function serves is a
// wrong path here.
func (a *API) noRoute(header http.Header, r *http.Request) error {
	allowed := a.Methods(r)
	if len(allowed) == 0 || slices.Contains(allowed, r.Method) {
		return problem.NoSuchPath()
	}
	header.Set("Allow", strings.Join(allowed, ", "))
	return problem.WrongMethod(allowed)
}

// RefuseOrigin refuses a request that did not come through the network in front of the
// functions.
func RefuseOrigin(w http.ResponseWriter, r *http.Request) {
	answers.Problems{}.Write(w, r, problem.Forbidden("this address answers only what comes through the network in front of it; use the public address"))
}
