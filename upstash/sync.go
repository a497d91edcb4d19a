package upstash

import (
	"context"
	"sync"
)

const syncHeader = "Upstash-Sync-Token"

// maxSyncToken bounds what is kept of a server's token, in bytes.
const maxSyncToken = 4 << 10

// Sync lets one caller read its own writes: it holds the token of the newest
// database state that the caller has seen, and reads wait for that state. The
// zero value is ready; safe for concurrent use.
//
// Tokens are opaque, so of two answers on the way at once the order of
// arrival decides; but the answer of a mere read that was sent before the
// held token arrived never replaces it.
type Sync struct {
	mu    sync.Mutex
	token string
	age   int // how many tokens were taken
}

type syncKey struct{}

// WithSync sends the token that s holds with every call made with the
// returned context, and takes the newer one from each answer.
func WithSync(ctx context.Context, s *Sync) context.Context {
	return context.WithValue(ctx, syncKey{}, s)
}

// current is the token to send and its age, to be given back with the answer.
func (s *Sync) current() (token string, age int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.token, s.age
}

func (s *Sync) take(token string, age int, readOnly bool) {
	if token == "" || len(token) > maxSyncToken {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if readOnly && age != s.age {
		return
	}
	s.token = token
	s.age++
}
