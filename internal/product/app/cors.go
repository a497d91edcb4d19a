package app

import (
	"net/http"
	"slices"
	"strings"
)

// The headers that browsers let a page send and read. The gateway in template.yaml has the same
// lists.
const (
	sentByPages = "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Traceparent"
	readByPages = "Date, ETag, Framedle-Degraded, Idempotency-Replayed, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id"
	// preflightAge is how long a browser keeps the answer to a preflight, in
	// seconds; Chromium keeps none longer.
	preflightAge = "7200"
)

// WithCORS answers OPTIONS, preflights included, with the methods of the path. It lets
// browsers hand the answers of h to pages of the allowed origins: "*" allows any, an empty
// list none. No answer depends on cookies, so every origin may get the same one, and caches
// may share it.
//
// Cost: none; an OPTIONS counts against no limit.
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
			h.ServeHTTP(w, r) // it answers that no route has this path
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
