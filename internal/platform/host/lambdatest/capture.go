package lambdatest

import (
	"bytes"
	"sync"
)

// capture keeps what a process writes. The zero value is ready.
type capture struct {
	mu   sync.Mutex
	data bytes.Buffer
}

func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.data.Write(p)
}

func (c *capture) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.data.String()
}
