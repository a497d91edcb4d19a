package costday

import (
	"sync/atomic"
	"time"
)

// reading is how far the clock moves when it is read, so that what happens
// later is later.
const reading = time.Microsecond

// clock is the product's clock and the age of what its processes remember: it
// follows the events of the day and never runs backwards.
type clock struct{ nanoseconds atomic.Int64 } // since the Unix epoch

// Now reads the clock.
func (c *clock) Now() time.Time { return time.Unix(0, c.nanoseconds.Add(int64(reading))).UTC() }

// elapsed is a clock for ages that begins now.
func (c *clock) elapsed() func() time.Duration {
	began := c.nanoseconds.Load()
	return func() time.Duration { return time.Duration(c.nanoseconds.Load() - began) }
}

// forward moves the clock, unless it is further already.
func (c *clock) forward(to time.Time) {
	for at := to.UnixNano(); ; {
		now := c.nanoseconds.Load()
		if now >= at || c.nanoseconds.CompareAndSwap(now, at) {
			return
		}
	}
}
