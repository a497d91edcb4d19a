package local

import (
	"sync"
	"time"
)

// Clock is what every function takes for now. It is the machine's clock until
// it is set; a set clock stands still, but for a microsecond at each reading,
// so that what happens later is later.
type Clock struct {
	mu  sync.Mutex
	set time.Time // zero: the machine's
}

// Now reads the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.set.IsZero() {
		return time.Now().UTC()
	}
	c.set = c.set.Add(time.Microsecond)
	return c.set
}

// Set moves the clock; the zero time gives it back to the machine.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set = now.UTC()
	if now.IsZero() {
		c.set = time.Time{}
	}
}
