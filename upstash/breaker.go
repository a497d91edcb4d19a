package upstash

import (
	"sync"
	"time"
)

const (
	defaultFailures   = 5
	defaultSpan       = time.Second
	defaultDelay      = 500 * time.Millisecond
	defaultQuotaDelay = 30 * time.Second
)

// Breaker decides when a client stops asking a database that does not answer. It opens after
// Failures attempts in a row that were KindUnavailable, or found the plan's commands used up,
// at least Span apart from the first to the last. While it is open, calls fail at once: with
// the kind of the last failure, wrapping ErrCircuitOpen, with RetryAfter set and MaybeApplied
// false. One call each Delay goes through, to find out whether the database is back. Any
// answer closes the breaker, even one that comes late.
//
// An attempt whose caller's context ended within a second does not count: it says nothing
// about the database. Throttling, a wrong token, a full storage and writes refused for the
// moment count as answers; a proxy's page does not. A Subscription reconnects in its own way.
type Breaker struct {
	// Off turns the breaker off: every call is sent.
	Off bool
	// Failures is the number of failures in a row that opens it; 0 means 5.
	Failures int
	// Span is the least time from the first failure to the last, so that a hiccup under load
	// does not count as an outage; 0 means 1 s.
	Span time.Duration
	// Delay is the time between two calls that go through while the database is unavailable. A
	// recovery can stay unnoticed for that long; 0 means 500 ms.
	Delay time.Duration
	// QuotaDelay takes the place of Delay while the plan's commands are used up; 0 means 30 s.
	QuotaDelay time.Duration
}

func (b Breaker) negative() bool {
	return b.Failures < 0 || b.Span < 0 || b.Delay < 0 || b.QuotaDelay < 0
}

func (b Breaker) withDefaults() Breaker {
	if b.Failures == 0 {
		b.Failures = defaultFailures
	}
	if b.Span == 0 {
		b.Span = defaultSpan
	}
	if b.Delay == 0 {
		b.Delay = defaultDelay
	}
	if b.QuotaDelay == 0 {
		b.QuotaDelay = defaultQuotaDelay
	}
	return b
}

// circuit is the state of a Breaker.
type circuit struct {
	set Breaker
	now func() time.Time

	mu       sync.Mutex
	failures int
	first    time.Time // of the first failure in a row
	open     bool
	next     time.Time // when the next call goes through, while open
	last     *Error    // the last failure
}

// admit returns nil if a call may be sent.
func (c *circuit) admit(r request) *Error {
	if c.set.Off {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.open {
		return nil
	}
	now := c.now()
	wait := c.next.Sub(now)
	if wait <= 0 {
		c.next = now.Add(c.delay())
		return nil
	}
	place, name := r.whose()
	return &Error{
		Op:         r.describe(),
		Status:     c.last.Status,
		Message:    ErrCircuitOpen.Error() + " after: " + c.last.Message,
		kind:       c.last.kind,
		place:      place,
		command:    name,
		cause:      ErrCircuitOpen,
		safe:       r.safe(),
		retryAfter: wait,
	}
}

func (c *circuit) delay() time.Duration {
	if c.last.kind == KindQuota {
		return c.set.QuotaDelay
	}
	return c.set.Delay
}

// failed counts an attempt that shows that the database cannot be used.
func (c *circuit) failed(e *Error) {
	if c.set.Off {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if c.failures == 0 {
		c.first = now
	}
	c.failures++
	last := *e
	c.last = &last
	if c.open || c.failures < c.set.Failures || now.Sub(c.first) < c.set.Span {
		return
	}
	c.open = true
	c.next = now.Add(c.delay())
}

// answered closes the circuit.
func (c *circuit) answered() {
	if c.set.Off {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures, c.open, c.last = 0, false, nil
}

// Circuit is the state of a client's breaker.
type Circuit struct {
	Open     bool
	Failures int       // in a row
	Last     error     // an *Error; nil while the database answers
	Since    time.Time // of the first failure; zero without failures
}

// Circuit returns the state of the breaker, without asking the database.
func (c *Client) Circuit() Circuit {
	c.circuit.mu.Lock()
	defer c.circuit.mu.Unlock()
	state := Circuit{Open: c.circuit.open, Failures: c.circuit.failures}
	if c.circuit.last != nil {
		last := *c.circuit.last
		state.Last, state.Since = &last, c.circuit.first
	}
	return state
}
