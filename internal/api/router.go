package api

import (
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
)

// RefuseInvalid counts an invalid credential for something that is no route of the API; see
// package gate.
func (a *API) RefuseInvalid(w http.ResponseWriter, r *http.Request) bool {
	return a.Gate.RefuseInvalid(w, r)
}

// Handler serves some routes. It answers every other request with a problem that takes the
// routes of all functions into account, because a host may send stray requests to any function.
func (a *API) Handler(rows []gate.Route) http.Handler {
	mux := http.NewServeMux()
	for _, row := range rows {
		mux.Handle(row.Pattern, a.Gate.Handler(row))
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

// newEverywhere registers the routes of all functions for matching only. Their patterns link no
// handlers into a function that does not serve them.
func (a *API) newEverywhere() *http.ServeMux {
	mux := http.NewServeMux()
	for _, pattern := range a.Patterns {
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
	respond.Problems{}.Write(w, r, problem.Forbidden("direct access is not allowed; use the public URL"))
}

// documentCache is how long others may keep the API's document without asking.
const documentCache = "public, max-age=300"

// document is the description of this API, and its entity tag.
type document struct {
	text []byte
	tag  func() string // computed at the first request: the text is long
}

// routes are the routes of the document.
func (d document) routes() []gate.Route {
	return []gate.Route{
		{Function: "leaderboard", Pattern: "GET /openapi.yaml", Auth: gate.Public, Limit: limit.Boards, Serve: d.getOpenAPI},
	}
}

func newDocument(text []byte) document {
	return document{text, sync.OnceValue(func() string { return respond.Tag(text) })}
}

// getOpenAPI serves the description of this API: GET /openapi.yaml.
func (d document) getOpenAPI(w http.ResponseWriter, r *gate.Request) error {
	header := w.Header()
	header.Set("Cache-Control", documentCache)
	header.Set("ETag", d.tag())
	if respond.Unchanged(header, r.Request) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	header.Set("Content-Type", "application/yaml")
	respond.Send(w, r.Request, http.StatusOK, d.text)
	return nil
}
