package api

import (
	"net/http"
	"path"
	"slices"
	"strings"
)

// methods that a route may have, for the Allow header.
var methods = [...]string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// isClean tells paths that ServeMux would serve rather than redirect.
func isClean(p string) bool {
	return p != "" && p[0] == '/' && path.Clean(p) == p
}

// everywhere has the routes of all functions.
func everywhere() *http.ServeMux {
	mux := http.NewServeMux()
	for pattern := range (&API{}).allRoutes(Services{}) {
		mux.Handle(pattern, http.NotFoundHandler())
	}
	return mux
}

// Methods are those that the request's path has, whichever function serves them;
// none where no route has this path.
func (a *API) Methods(r *http.Request) []string {
	if !isClean(r.URL.Path) {
		return nil
	}
	var allowed []string
	for _, method := range methods {
		probe := &http.Request{Method: method, URL: r.URL, Host: r.Host}
		if _, pattern := a.everywhere.Handler(probe); pattern != "" {
			allowed = append(allowed, method)
		}
	}
	return allowed
}

// noRoute tells a wrong method from a wrong path. A route that another function
// serves is a wrong path here.
func (a *API) noRoute(header http.Header, r *http.Request) error {
	allowed := a.Methods(r)
	if len(allowed) == 0 || slices.Contains(allowed, r.Method) {
		return noSuchPath()
	}
	header.Set("Allow", strings.Join(allowed, ", "))
	return wrongMethod(allowed)
}
