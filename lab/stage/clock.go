package stage

import (
	"sync/atomic"
	"time"
)

// reading is how far the clock moves with each reading, so that later events have later
// times.
const reading = time.Microsecond

// Clock is the product's clock, and also the one by which its processes' memories age. A
// scenario moves it; it never runs backwards.
type Clock struct{ nanoseconds atomic.Int64 } // since the Unix epoch

// Now reads the clock.
func (c *Clock) Now() time.Time { return time.Unix(0, c.nanoseconds.Add(int64(reading))).UTC() }

// Elapsed returns a clock that starts at 0 now.
func (c *Clock) Elapsed() func() time.Duration {
	began := c.nanoseconds.Load()
	return func() time.Duration { return time.Duration(c.nanoseconds.Load() - began) }
}

// Forward moves the clock to a time, unless the clock is already later.
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
