package app

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"

	"github.com/framedle/leaderboards/internal/api"
)

// OriginHeader carries the secret that a content delivery network adds to each request, so
// that nobody can bypass the network.
const OriginHeader = "Framedle-Origin"

// metricsPath is the path of the metrics, see package usage.
const metricsPath = "/metrics"

// minOriginSecret is the length of a secret in characters.
const minOriginSecret = 32

// origin accepts requests that carry one of its secrets. The zero origin accepts every
// request.
type origin struct{ secrets [][sha256.Size]byte }

// newOrigin takes several secrets, so that one can be replaced by another.
func newOrigin(secrets []string) (o origin, err error) {
	for _, secret := range secrets {
		if len(secret) < minOriginSecret {
			return origin{}, fmt.Errorf("%s has a secret of %d characters: use at least %d, separated by commas", envOriginSecret, len(secret), minOriginSecret)
		}
		o.secrets = append(o.secrets, sha256.Sum256([]byte(secret)))
	}
	return o, nil
}

// handler refuses requests that did not come through the network, preflights included, before
// anything else is checked. Metrics are exempt: they have a token of their own, and their
// reader runs beside the process. Scheduled functions do not pass through handler.
func (o origin) handler(h http.Handler) http.Handler {
	if len(o.secrets) == 0 {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != metricsPath && !o.knows(r.Header.Get(OriginHeader)) {
			api.RefuseOrigin(w, r)
			return
		}
		r.Header.Del(OriginHeader)
		h.ServeHTTP(w, r)
	})
}

// knows reports whether a secret is known, in the same time whatever was sent.
func (o origin) knows(shown string) bool {
	sum := sha256.Sum256([]byte(shown))
	known := 0
	for _, secret := range o.secrets {
		known |= subtle.ConstantTimeCompare(sum[:], secret[:])
	}
	return known == 1
}
