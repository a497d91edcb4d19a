package stage

import (
	"sync/atomic"
	"time"
)

// reading is how far the clock moves when it is read, so that what happens
// later is later.
const reading = time.Microsecond

// Clock is the product's clock and the age of what its processes remember: it
// follows what is played and never runs backwards.
type Clock struct{ nanoseconds atomic.Int64 } // since the Unix epoch

// Now reads the clock.
func (c *Clock) Now() time.Time { return time.Unix(0, c.nanoseconds.Add(int64(reading))).UTC() }

// Elapsed is a clock for ages that begins now.
func (c *Clock) Elapsed() func() time.Duration {
	began := c.nanoseconds.Load()
	return func() time.Duration { return time.Duration(c.nanoseconds.Load() - began) }
}

// Forward moves the clock, unless it is further already.
func (c *Clock) Forward(to time.Time) {
	for at := to.UnixNano(); ; {
		now := c.nanoseconds.Load()
		if now >= at || c.nanoseconds.CompareAndSwap(now, at) {
			return
		}
	}
}

// Pass moves the clock on.
func (c *Clock) Pass(d time.Duration) { c.nanoseconds.Add(int64(d)) }
