package postgresd

import (
	"strings"
	"sync"
)

const (
	tailBytes = 4 << 10
	readyLine = "database system is ready to accept connections"
)

// tail keeps the last 4 KiB written to it, for error messages, and tells when
// the server says that it is ready.
type tail struct {
	mu    sync.Mutex
	buf   []byte
	ready chan struct{}
	said  bool
}

func newTail() *tail { return &tail{ready: make(chan struct{})} }

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if !t.said && strings.Contains(string(t.buf), readyLine) {
		t.said = true
		close(t.ready)
	}
	if over := len(t.buf) - tailBytes; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}
