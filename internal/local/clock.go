package local

import (
	"sync"
	"time"
)

// Clock is what every function takes for now. It is the machine's clock until
// it is set; a set clock stands still, but for a tenth of a millisecond at each
// reading, so that what happens later is later: longer than a tick of the tie
// fraction in any but the widest modes.
type Clock struct {
	mu    sync.Mutex
	set   time.Time     // zero: the machine's
	moved chan struct{} // closed by the next Set; nil while nobody waits for it
	leaps time.Duration // how far it was moved in all, either way
}

const step = 100 * time.Microsecond

// Now reads the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.set.IsZero() {
		return time.Now().UTC()
	}
	c.set = c.set.Add(step)
	return c.set
}

// Set moves the clock; the zero time gives it back to the machine.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	was, is := c.set, now.UTC()
	if was.IsZero() {
		was = time.Now()
	}
	if now.IsZero() {
		is = time.Now()
	}
	c.leaps += is.Sub(was).Abs()
	c.set = now.UTC()
	if now.IsZero() {
		c.set = time.Time{}
	}
	if c.moved != nil {
		close(c.moved)
		c.moved = nil
	}
}

// Elapsed makes a clock that only moves forward, for the age of what a process
// remembers: with the machine's, and whenever this one is moved, as far. So what
// was read before another day began is not shown on it.
func (c *Clock) Elapsed() func() time.Duration {
	began := time.Now()
	return func() time.Duration {
		c.mu.Lock()
		defer c.mu.Unlock()
		return time.Since(began) + c.leaps
	}
}

// watch reads the clock without taking a step, and gives a channel that is
// closed when it is set.
func (c *Clock) watch() (now time.Time, moved <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.moved == nil {
		c.moved = make(chan struct{})
	}
	if c.set.IsZero() {
		return time.Now().UTC(), c.moved
	}
	return c.set, c.moved
}
