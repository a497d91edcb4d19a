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

// noRoute tells a wrong method from a wrong path. A route that another function
// serves is a wrong path here.
func noRoute(mux *http.ServeMux, header http.Header, r *http.Request) error {
	var allowed []string
	if isClean(r.URL.Path) {
		for _, method := range methods {
			probe := &http.Request{Method: method, URL: r.URL, Host: r.Host}
			if _, pattern := mux.Handler(probe); pattern != "" {
				allowed = append(allowed, method)
			}
		}
	}
	if len(allowed) == 0 || slices.Contains(allowed, r.Method) {
		return &problem{Status: http.StatusNotFound, kind: "not-found", Detail: "no resource has this path"}
	}
	header.Set("Allow", strings.Join(allowed, ", "))
	return &problem{
		Status: http.StatusMethodNotAllowed, kind: "method-not-allowed",
		Detail: "this resource takes " + strings.Join(allowed, ", "),
	}
}
