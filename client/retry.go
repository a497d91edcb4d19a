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
	// longestWait is the longest Retry-After that the client waits for. The product asks for
	// up to a minute while it recovers, and for longer when a daily limit is used up or writes
	// wait for the operator.
	longestWait = time.Minute
)

// ask sends a request until it has a final answer, and parses that.
func ask[T any](ctx context.Context, c *Client, r Request) (T, error) {
	var said T
	err := c.sendUntil(ctx, r, func(a Answer) (*Problem, error) {
		said = *new(T)
		return nil, json.Unmarshal(a.Body, &said)
	})
	if err != nil {
		said = *new(T) // not half an answer
	}
	return said, err
}

// sendUntil sends a request until read accepts the answer. read is called for statuses below
// 300. It returns a problem if a part of the answer asks to try again, which is the final
// result when the attempts have run out; and an error if the answer is not this product's.
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
			return fail // now, rather than a time-out later
		}
		if err := c.wait(ctx, wait); err != nil {
			return fail
		}
	}
}

// attempt sends a request once. again reports whether it may be sent again.
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

// passes reports whether the same request may succeed later. Of conflicts only that of a key
// in use passes; 501 says that there is no database.
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

// backoff doubles with each attempt and is random within half of itself, so that clients that
// failed together do not come back together.
func (c *Client) backoff(attempt int) time.Duration {
	whole := min(firstBackoff<<min(attempt-1, 10), longestWait)
	return whole/2 + time.Duration(c.random()*float64(whole/2))
}

// NoKey instead of an idempotency key sends no key, which saves 2 Redis commands. In modes of
// policy first and best a retry changes nothing even without a key; but the retry of a score
// whose answer was lost is answered with kept. Modes of policy sum require a key and refuse
// NoKey. No valid key equals it.
const NoKey = "\x00"

// keyed returns a header with an idempotency key: the given one, or a new one for a request
// and all its retries.
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
