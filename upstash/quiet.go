package upstash

import (
	"context"
	"fmt"
	"io"
	"time"
)

// The first attempt of a call may hear nothing for quietPart/quietWhole of the call's timeout,
// 1.2 s of 5 s; each later one twice as long as the one before, so that a slow database still
// gets to answer.
const (
	quietPart  = 6
	quietWhole = 25
)

// quietTime is how long an attempt may hear nothing before it is given up; 0: as long as the
// call may take. A connection can die silently, above all while a process is frozen between
// two requests.
func quietTime(r request, timeout time.Duration, attempt int) time.Duration {
	if r.heavy() {
		return 0
	}
	return timeout / quietWhole * quietPart << min(attempt-1, 4)
}

// quietError ends an attempt that has heard nothing for so long.
type quietError time.Duration

func (e quietError) Error() string { return fmt.Sprintf("nothing was heard for %v", time.Duration(e)) }

// Unwrap makes it an error that says that time ran out.
func (quietError) Unwrap() error { return context.DeadlineExceeded }

// dropIdle closes the idle connections: what made one connection die silently has often killed
// all.
func (c *Client) dropIdle() {
	if c.transport == nil {
		c.http.CloseIdleConnections()
		if c.direct != nil {
			c.direct.closeIdle()
		}
		return
	}
	if t, ok := c.transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// listen ends the returned context with the call, or after hearing nothing for too long: the
// latter if the attempt may be repeated, or before it has a connection, when nothing was sent.
// It is for net/http; direct connections have a watch.
func (x *exchange) listen(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithDeadline(ctx, x.end)
	if x.quiet == 0 {
		return ctx, cancel
	}
	repeatable := x.request.safe()
	ctx, quieten := context.WithCancelCause(ctx)
	x.timer = time.AfterFunc(x.quiet, func() {
		if repeatable || !x.onConn.Load() {
			quieten(quietError(x.quiet))
		}
	})
	return ctx, func() {
		x.timer.Stop()
		quieten(nil)
		cancel()
	}
}

// heard wraps the answer's body: each part that arrives shows that the connection is alive.
func (x *exchange) heard(body io.Reader) io.Reader {
	if x.timer == nil && !x.watch.impatient {
		return body
	}
	x.hears()
	return heardReader{body, x}
}

func (x *exchange) hears() {
	if x.timer != nil {
		x.timer.Reset(x.quiet)
	} else {
		x.watch.hears()
	}
}

type heardReader struct {
	io.Reader
	x *exchange
}

func (r heardReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if n > 0 {
		r.x.hears()
	}
	return n, err
}
