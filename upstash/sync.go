package upstash

import (
	"context"
	"sync"
)

const syncHeader = "Upstash-Sync-Token"

// maxSyncToken bounds what is kept of a server's token, in bytes.
const maxSyncToken = 4 << 10

// Sync lets one caller read its own writes: it holds the token of the newest database state
// that the caller has seen, and reads wait for that state. The zero value is ready; safe for
// concurrent use.
//
// Tokens are opaque, so of two concurrent answers the later to arrive counts. But the answer
// of a read that was sent before the present token arrived never replaces that token.
type Sync struct {
	mu    sync.Mutex
	token string
	age   int // how many tokens were stored
}

type syncKey struct{}

// WithSync sends the token of s with every call made with the returned context, and stores the
// token of each answer in s.
func WithSync(ctx context.Context, s *Sync) context.Context {
	return context.WithValue(ctx, syncKey{}, s)
}

// current returns the token to send, and its age, which take needs with the answer.
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
