package testkit

import (
	"sync"
	"time"
)

// Clock is a product's clock that a test moves.
type Clock struct {
	mu   sync.Mutex
	now  time.Time
	step time.Duration
}

// Still is a clock that moves when told.
func Still(now time.Time) *Clock { return &Clock{now: now} }

// Ticking is a clock that also moves by a millisecond at each reading, so that what
// happens later is later.
func Ticking(now time.Time) *Clock { return &Clock{now: now, step: time.Millisecond} }

// Now reads the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(c.step)
	return c.now
}

// Stop has a ticking clock stand still from now on.
func (c *Clock) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.step = 0
}

// Set moves the clock to a time.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// Pass moves the clock on.
func (c *Clock) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
