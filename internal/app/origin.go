package app

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"

	"github.com/framedle/leaderboards/internal/api"
)

// OriginHeader carries the secret that a content delivery network adds to what it
// passes on, so that nobody reaches the functions past it.
const OriginHeader = "Framedle-Origin"

// metricsPath is package usage's.
const metricsPath = "/metrics"

// minOriginSecret is the length of a secret in characters.
const minOriginSecret = 32

// origin lets through what shows one of some secrets. The zero origin lets
// everything through.
type origin struct{ secrets [][sha256.Size]byte }

// newOrigin takes several secrets, for the time of a change.
func newOrigin(secrets []string) (o origin, err error) {
	for _, secret := range secrets {
		if len(secret) < minOriginSecret {
			return origin{}, fmt.Errorf("%s has a secret of %d characters: use at least %d, separated by commas", envOriginSecret, len(secret), minOriginSecret)
		}
		o.secrets = append(o.secrets, sha256.Sum256([]byte(secret)))
	}
	return o, nil
}

// handler refuses what has come another way, before anything else is looked at:
// preflights too. Metrics have a token of their own, and are asked for by who
// stands beside the process. Scheduled functions do not come this way.
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

// knows takes as long whichever secret is shown, and whether or not one is.
func (o origin) knows(shown string) bool {
	sum := sha256.Sum256([]byte(shown))
	known := 0
	for _, secret := range o.secrets {
		known |= subtle.ConstantTimeCompare(sum[:], secret[:])
	}
	return known == 1
}
