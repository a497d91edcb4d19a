package app

import (
	"net/http"
	"slices"
	"strings"
)

// What browsers are told: which headers a page may send, and which it may read.
// The gateway in template.yaml says the same.
const (
	sentByPages = "Authorization, Content-Type, Idempotency-Key, If-None-Match, Traceparent"
	readByPages = "Date, ETag, Framedle-Degraded, Idempotency-Replayed, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id"
	// preflightAge is how long a browser keeps the answer to a preflight, in
	// seconds; Chromium keeps none longer.
	preflightAge = "7200"
)

// WithCORS answers OPTIONS with the methods that the path has, preflights among
// them, and has browsers hand the answers to pages of the allowed origins ("*" is
// any; none are allowed where there are no origins). No answer depends on cookies,
// so any origin can be told the same thing, which caches may share.
//
// Cost: none, and nothing counts an OPTIONS.
func WithCORS(origins []string, methods func(*http.Request) []string, h http.Handler) http.Handler {
	anyOrigin := slices.Contains(origins, "*")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header, allowed := w.Header(), ""
		switch origin := r.Header.Get("Origin"); {
		case anyOrigin:
			allowed = "*"
		case len(origins) > 0:
			header.Add("Vary", "Origin")
			if origin != "" && slices.Contains(origins, origin) {
				allowed = origin
			}
		}
		if allowed != "" {
			header.Set("Access-Control-Allow-Origin", allowed)
			header.Set("Access-Control-Expose-Headers", readByPages)
		}
		if r.Method != http.MethodOptions {
			h.ServeHTTP(w, r)
			return
		}
		has := methods(r)
		if len(has) == 0 {
			h.ServeHTTP(w, r) // which says that there is no such path
			return
		}
		header.Set("Allow", strings.Join(has, ", "))
		header.Add("Vary", "Access-Control-Request-Method")
		if allowed != "" && r.Header.Get("Access-Control-Request-Method") != "" {
			header.Set("Access-Control-Allow-Methods", strings.Join(has, ", "))
			header.Set("Access-Control-Allow-Headers", sentByPages)
			header.Set("Access-Control-Max-Age", preflightAge)
		}
		w.WriteHeader(http.StatusNoContent)
	})
}
