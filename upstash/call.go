package upstash

import (
	"context"
	"errors"
	"time"
)

const (
	firstBackoff = 50 * time.Millisecond
	longBackoff  = time.Second
	// patience is how long a working database may take to answer.
	patience = time.Second
	// refusedBackoff is the shortest wait after a database has refused writes for the moment.
	// It doubles: four attempts take 1.4 s at least.
	refusedBackoff = 200 * time.Millisecond
)

// call makes attempts at the request until one is answered, no other may follow, or the
// deadline is near. lost is the number of earlier attempts that may have taken effect. The
// reply of a pipeline or transaction is an array with one element for each command.
func (c *Client) call(ctx context.Context, r request) (reply Reply, lost int, failure *Error) {
	if failure := refusal(ctx, r); failure != nil {
		return Reply{}, 0, failure
	}
	end := traced(ctx, r)
	defer func() { end(failure) }()
	if c.transport != nil {
		return c.callTransport(ctx, r)
	}
	return c.callREST(ctx, r)
}

// attempts is the loop of call. send makes one attempt, which must end at end and gives up
// after hearing nothing for quiet.
func (c *Client) attempts(ctx context.Context, r request, send func(end time.Time, quiet time.Duration) (Reply, *Error)) (reply Reply, lost int, failure *Error) {
	timeout := c.timeoutOf(ctx)
	end := time.Now().Add(timeout)
	safe := r.safe()
	for attempt := 1; ; attempt++ {
		if refusal := c.circuit.admit(r); refusal != nil {
			if failure == nil {
				failure = refusal
			}
			return Reply{}, lost, failure
		}
		began := c.now()
		reply, failure = send(end, quietTime(r, timeout, attempt))
		c.learn(ctx, began, reply, failure)
		if failure == nil {
			applied, again := r.refusedForNow(reply)
			if !again || attempt >= c.maxAttempts || c.pause(ctx, end, attempt, refusedBackoff<<min(attempt-1, 4)) != nil {
				return reply, lost, nil
			}
			if applied {
				lost++
			}
			continue
		}
		again := retryable(failure, safe) && attempt < c.maxAttempts
		if failure.maybeApplied {
			lost++
		}
		failure.maybeApplied = lost > 0
		failure.safe = safe
		if errors.Is(failure.cause, context.DeadlineExceeded) && ctx.Err() == nil {
			c.dropIdle()
		}
		asked := failure.retryAfter
		if writesRefused(failure.Message) {
			asked = max(asked, refusedBackoff<<min(attempt-1, 4))
		}
		if !again || c.pause(ctx, end, attempt, asked) != nil {
			return Reply{}, lost, failure
		}
	}
}

// learn reports to the breaker what an attempt has shown about the database.
func (c *Client) learn(outer context.Context, began time.Time, reply Reply, failure *Error) {
	switch {
	case failure == nil:
		if e := allOutOfCommands(reply); e != nil {
			c.circuit.failed(e)
			return
		}
		c.circuit.answered()
	case failure.kind == KindUnavailable && !writesRefused(failure.Message):
		if outer.Err() == nil || c.now().Sub(began) >= patience {
			c.circuit.failed(failure)
		}
	case failure.kind == KindQuota && outOfCommands(failure.Message):
		c.circuit.failed(failure)
	default:
		c.circuit.answered()
	}
}

// allOutOfCommands returns the error of a pipeline's last item, if every item was refused
// because the plan's commands are used up.
func allOutOfCommands(reply Reply) *Error {
	if reply.kind != replyArray || len(reply.items) == 0 {
		return nil
	}
	for _, item := range reply.items {
		if item.kind != replyError || !outOfCommands(item.text) {
			return nil
		}
	}
	return itemError(reply.items[len(reply.items)-1].text)
}

// retryable reports whether sending again can help and can do no harm.
func retryable(e *Error, safe bool) bool {
	return (e.kind == KindThrottled || e.kind == KindUnavailable) && (safe || !e.maybeApplied)
}

// pause waits before the next attempt: for the time that the server asked for, plus a random
// part of a doubling time ("full jitter"), so that many clients do not come back at once. It
// fails at once if the call would end before.
func (c *Client) pause(ctx context.Context, end time.Time, attempt int, asked time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	span := longBackoff
	if attempt < 6 {
		span = min(span, firstBackoff<<(attempt-1))
	}
	wait := asked + time.Duration(c.rand()*float64(span))
	if deadline, ok := ctx.Deadline(); ok && deadline.Before(end) {
		end = deadline
	}
	if time.Until(end) <= wait {
		return context.DeadlineExceeded
	}
	return c.sleep(ctx, wait)
}
