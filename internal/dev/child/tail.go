package child

import (
	"strings"
	"sync"
)

const tailBytes = 4 << 10

// Tail keeps the last 4 KiB written to it, for error messages, and closes Ready when the
// server writes that it is ready.
type Tail struct {
	Ready chan struct{} // closed when the server is ready

	mu    sync.Mutex
	buf   []byte
	words string // by which the server says that it is ready
	said  bool
}

// NewTail makes a Tail that waits for the words by which a server says that it is ready.
func NewTail(words string) *Tail { return &Tail{Ready: make(chan struct{}), words: words} }

func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if !t.said && strings.Contains(string(t.buf), t.words) {
		t.said = true
		close(t.Ready)
	}
	if over := len(t.buf) - tailBytes; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(p), nil
}

func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}
