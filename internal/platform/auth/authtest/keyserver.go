package authtest

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/framedle/leaderboards/internal/platform/auth"
)

// KeyServer publishes keys as a Clerk instance does, over TLS on the loopback
// interface, and counts how often it is asked.
type KeyServer struct {
	tb     testing.TB
	server *httptest.Server

	mu      sync.Mutex
	keys    []map[string]any
	down    bool
	fetches int
}

// NewKeyServer starts a server that publishes the key of issuer under the kid
// that its tokens name. It ends with the test.
func NewKeyServer(tb testing.TB, issuer *Issuer) *KeyServer {
	tb.Helper()
	s := &KeyServer{tb: tb}
	s.Publish(map[string]*Issuer{KeyID: issuer})
	s.server = httptest.NewUnstartedServer(http.HandlerFunc(s.answer))
	s.server.Config.ErrorLog = log.New(io.Discard, "", 0) // tests refuse its certificate on purpose
	s.server.StartTLS()
	tb.Cleanup(s.server.Close)
	return s
}

// Publish replaces what is published: the issuers' keys, by kid.
func (s *KeyServer) Publish(issuers map[string]*Issuer) {
	keys := []map[string]any{}
	for kid, issuer := range issuers {
		key := issuer.PublicJWK()
		key["kid"] = kid
		keys = append(keys, key)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys = keys
}

// Down makes the server answer 500, or normally again.
func (s *KeyServer) Down(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

// Fetches is how many requests the server has received.
func (s *KeyServer) Fetches() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fetches
}

// Config is that of a verifier which trusts AuthorizedParty and the published
// keys.
func (s *KeyServer) Config(now func() time.Time) auth.SessionConfig {
	return auth.SessionConfig{
		Issuer:            IssuerURL,
		AuthorizedParties: []string{AuthorizedParty},
		JWKSURL:           s.server.URL + "/.well-known/jwks.json",
		Transport:         s.server.Client().Transport,
		Now:               now,
	}
}

// Sessions returns the verifier of Config.
func (s *KeyServer) Sessions(now func() time.Time) *auth.Sessions {
	s.tb.Helper()
	sessions, err := auth.NewSessions(s.Config(now))
	if err != nil {
		s.tb.Fatalf("making the verifier: %v", err)
	}
	return sessions
}

func (s *KeyServer) answer(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fetches++
	if s.down {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if r.URL.Path != "/.well-known/jwks.json" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"keys": s.keys}) // the client may have disconnected
}
