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

// Still makes a clock that moves only when it is set.
func Still(now time.Time) *Clock { return &Clock{now: now} }

// Ticking makes a clock that also moves by a millisecond at each reading, so that later
// readings are later.
func Ticking(now time.Time) *Clock { return &Clock{now: now, step: time.Millisecond} }

// Now reads the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(c.step)
	return c.now
}

// Stop makes a ticking clock stand still from now on.
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

// Pass moves the clock forward.
func (c *Clock) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
