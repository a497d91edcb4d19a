package local

import (
	"net"
	"net/http"
	"net/url"
	"strings"
)

// isControl reports whether a request is for a control endpoint.
func isControl(r *http.Request) bool {
	return r.URL.Path == "/_local" || strings.HasPrefix(r.URL.Path, "/_local/")
}

// door refuses requests for control endpoints that pages of other sites send from a browser
// on this machine. It recognizes a name that was made to resolve to this machine by the
// header Host, and any other page by the header Origin. Pages served from this machine may
// call, and so may requests that come from no page.
func door(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isControl(r) {
			if !isLoopback(hostname(r.Host)) {
				refuse(w, http.StatusForbidden, "the control endpoints are asked for as localhost or a loopback address, not under another host's name")
				return
			}
			for _, origin := range r.Header.Values("Origin") {
				if page, err := url.Parse(origin); err != nil || !isLoopback(page.Hostname()) {
					refuse(w, http.StatusForbidden, "the control endpoints answer no page of another site: serve yours from localhost")
					return
				}
			}
		}
		h.ServeHTTP(w, r)
	})
}

// hostname is the value of a Host header without its port.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// isLoopback reports whether a name can only be this machine. Browsers resolve names that end
// in .localhost to this machine.
func isLoopback(name string) bool {
	name = strings.ToLower(name)
	ip := net.ParseIP(name)
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || ip != nil && ip.IsLoopback()
}
