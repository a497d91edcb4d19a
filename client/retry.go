package client

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

const (
	firstBackoff = 250 * time.Millisecond
	// longestWait is the longest Retry-After that is waited out: the product asks for
	// up to a minute while it recovers, for longer when a limit of the day is used up
	// or writes wait for the operator.
	longestWait = time.Minute
)

// ask sends a request until an answer stays, and reads it.
func ask[T any](ctx context.Context, c *Client, r Request) (T, error) {
	var said T
	err := c.sendUntil(ctx, r, func(a Answer) (*Problem, error) {
		said = *new(T)
		return nil, json.Unmarshal(a.Body, &said)
	})
	if err != nil {
		said = *new(T) // nothing half read
	}
	return said, err
}

// sendUntil sends a request until read takes the answer. read is given those below
// 300; it returns a problem where a part of the answer says to try again, which
// stands when attempts have run out, and an error where it is not this product's.
func (c *Client) sendUntil(ctx context.Context, r Request, read func(Answer) (*Problem, error)) error {
	for attempt := 1; ; attempt++ {
		last := attempt > c.retries
		wait := c.backoff(attempt)
		fail, again := c.attempt(ctx, r, read)
		if fail == nil {
			return nil
		}
		if p, is := fail.(*Problem); is {
			if p.RetryAfter > 0 {
				wait = p.RetryAfter
			}
		} else {
			fail = &NoAnswerError{Method: r.Method, Path: r.Path, Attempts: attempt, Err: fail}
		}
		if !again || last || wait > longestWait || ctx.Err() != nil {
			return fail
		}
		if end, bounded := ctx.Deadline(); bounded && time.Until(end) < wait {
			return fail // rather what is known now than a time-out
		}
		if err := c.wait(ctx, wait); err != nil {
			return fail
		}
	}
}

// attempt sends a request once. again says that the same may be sent again.
func (c *Client) attempt(ctx context.Context, r Request, read func(Answer) (*Problem, error)) (fail error, again bool) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	a, err := c.once(ctx, r)
	if err != nil {
		return err, err != errTooLong
	}
	if a.Status >= http.StatusMultipleChoices {
		p := a.Problem()
		return p, p.passes()
	}
	p, err := read(a)
	switch {
	case err != nil:
		return fmt.Errorf("status %d with an answer that is not this product's: %w", a.Status, err), false
	case p != nil:
		p.RetryAfter = a.RetryAfter()
		return p, true
	}
	return nil, false
}

// passes reports whether the same request may be taken later. A conflict passes
// where it is about the key alone, and 501 says that there is no database.
func (p *Problem) passes() bool {
	switch p.Status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests:
		return true
	case http.StatusConflict:
		return p.Code == CodeKeyInUse
	case http.StatusNotImplemented:
		return false
	}
	return p.Status >= http.StatusInternalServerError
}

// backoff doubles with each attempt and is spread over half of itself, so that
// clients that failed together do not come back together.
func (c *Client) backoff(attempt int) time.Duration {
	whole := min(firstBackoff<<min(attempt-1, 10), longestWait)
	return whole/2 + time.Duration(c.random()*float64(whole/2))
}

// NoKey in the place of an idempotency key sends none. In modes of policy first and
// best a retry changes nothing without one either, and each key costs 2 Redis
// commands; but a retry of a score whose answer was lost is then answered with kept.
// In modes of policy sum, which require a key, it is refused. No key looks like it.
const NoKey = "\x00"

// keyed is a request's header with an idempotency key: the given one, or a new one
// for this request and all its retries.
func keyed(key string) (http.Header, error) {
	switch key {
	case NoKey:
		return nil, nil
	case "":
		key = rand.Text()
	}
	if len(key) > 255 {
		return nil, fmt.Errorf("the idempotency key has %d characters; use at most 255", len(key))
	}
	for _, r := range key {
		if r <= ' ' || r > '~' || r == '"' {
			return nil, fmt.Errorf("the idempotency key %q: use visible ASCII characters without quotation marks", key)
		}
	}
	return http.Header{"Idempotency-Key": {`"` + key + `"`}}, nil
}
