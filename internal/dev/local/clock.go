package local

import (
	"sync"
	"time"
)

// Clock is the product's clock. It is the machine's clock until it is set. A set clock moves
// only by 0.1 ms at each reading, so that a later event has a later time. That is more than one
// tick of the tie fraction in all but the widest modes.
type Clock struct {
	mu    sync.Mutex
	set   time.Time     // zero: the machine's time
	moved chan struct{} // closed by the next Set; nil while nobody waits for that
	leaps time.Duration // sum of all moves, forward and backward
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

// Set sets the clock; the zero time makes it the machine's clock again.
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

// Elapsed makes a clock that only moves forward, for the age of what a process remembers. It
// moves with the machine's clock, and each Set moves it forward by the size of the change. So
// nothing that was read before a change of the day is shown after it.
func (c *Clock) Elapsed() func() time.Duration {
	began := time.Now()
	return func() time.Duration {
		c.mu.Lock()
		defer c.mu.Unlock()
		return time.Since(began) + c.leaps
	}
}

// watch reads the clock without moving it, and returns a channel that the next Set closes.
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
