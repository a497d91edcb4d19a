package upstash

import (
	"context"
	"time"
)

const (
	firstBackoff = 50 * time.Millisecond
	longBackoff  = time.Second
	// keptBody bounds the request buffers that are kept for reuse, in bytes.
	keptBody = 1 << 20
)

// call makes attempts at the request until one is answered, none may follow,
// or the deadline is near. lost is the number of earlier attempts that may
// have taken effect. Of a pipeline or transaction the reply is an array with
// one element for each command.
func (c *Client) call(ctx context.Context, r request) (reply Reply, lost int, failure *Error) {
	body := c.body()
	reusable := true
	defer func() {
		if reusable && cap(*body) <= keptBody {
			c.bodies.Put(body)
		}
	}()
	if *body, failure = appendBody((*body)[:0], r); failure != nil {
		return Reply{}, 0, failure
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()

	safe := allSafe(r.cmds)
	for attempt := 1; ; attempt++ {
		x := exchange{client: c, request: r, body: *body, readOnly: r.readOnly()}
		reply, failure = x.run(ctx)
		reusable = reusable && x.bodyIsFree()
		if failure == nil {
			return reply, lost, nil
		}
		again := retryable(failure, safe) && attempt < c.attempts
		if failure.maybeApplied {
			lost++
		}
		failure.maybeApplied = lost > 0
		failure.safe = safe
		if !again || c.pause(ctx, attempt, failure.retryAfter) != nil {
			return Reply{}, lost, failure
		}
	}
}

// retryable reports whether sending again can help and cannot harm.
func retryable(e *Error, safe bool) bool {
	return (e.kind == KindThrottled || e.kind == KindUnavailable) && (safe || !e.maybeApplied)
}

// pause waits before the next attempt: the time the server asked for and, on
// top, a random part of a doubling span ("full jitter"), so that many clients
// do not come back at once. It fails at once when the deadline is nearer.
func (c *Client) pause(ctx context.Context, attempt int, asked time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	span := longBackoff
	if attempt < 6 {
		span = min(span, firstBackoff<<(attempt-1))
	}
	wait := asked + time.Duration(c.rand()*float64(span))
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		return context.DeadlineExceeded
	}
	return c.sleep(ctx, wait)
}

func (c *Client) body() *[]byte {
	if b, ok := c.bodies.Get().(*[]byte); ok {
		return b
	}
	b := make([]byte, 0, 1<<10)
	return &b
}

func (c *Client) reader() *reader {
	if d, ok := c.readers.Get().(*reader); ok {
		return d
	}
	return new(reader)
}

// record counts one exchange on the client's meter and those of the context.
func (c *Client) record(ctx context.Context, r request, replies []Reply, sent, received int) {
	inner := r.innerCalls(replies)
	c.meter.record(r, inner, sent, received)
	for n, _ := ctx.Value(meterKey{}).(*meters); n != nil; n = n.outer {
		if n.meter != &c.meter {
			n.meter.record(r, inner, sent, received)
		}
	}
}
