package local

import (
	"net"
	"net/http"
	"net/url"
	"strings"
)

// isControl tells the control endpoints from the product's own.
func isControl(r *http.Request) bool {
	return r.URL.Path == "/_local" || strings.HasPrefix(r.URL.Path, "/_local/")
}

// door keeps pages of other sites away from the control endpoints, which a
// browser on this machine would otherwise reach for them: one whose name has been
// made to resolve to this machine is told by Host, any other one by Origin.
// Pages that are served from this machine come in, and so do requests of no page.
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

// hostname is a Host header without its port.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// isLoopback tells names that no other machine can be behind. Browsers resolve
// what ends in .localhost to this machine.
func isLoopback(name string) bool {
	name = strings.ToLower(name)
	ip := net.ParseIP(name)
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || ip != nil && ip.IsLoopback()
}
