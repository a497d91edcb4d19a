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

// Breaker says when a client stops asking a database that does not answer. It
// opens after Failures attempts in a row that were KindUnavailable or found the
// plan's commands used up, with no other answer between them and at least Span
// from the first to the last. From then on calls fail at once, with the kind of
// the last failure, ErrCircuitOpen within, RetryAfter set and MaybeApplied
// false, but for one each Delay, which goes through to see whether the
// database is back. Any answer closes the breaker, even one that comes late.
//
// An attempt that its caller's context ended within a second says nothing
// about the database and is not counted. Throttling, a wrong token, a full
// storage and writes refused for the moment are answers; a proxy's page is none.
// A Subscription has its own way to come back.
type Breaker struct {
	// Off takes the breaker away: every call is sent.
	Off bool
	// Failures in a row that open it; 0 means 5.
	Failures int
	// Span is the least time from the first of them to the last, so that a
	// hiccup under load is not taken for an outage; 0 means 1 s.
	Span time.Duration
	// Delay is the time between two calls that are let through while the
	// database is unavailable, and so how long a recovery can go unnoticed;
	// 0 means 500 ms.
	Delay time.Duration
	// QuotaDelay is Delay while the plan's commands are used up; 0 means 30 s.
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

// circuit is a Breaker at work.
type circuit struct {
	set Breaker
	now func() time.Time

	mu       sync.Mutex
	failures int
	first    time.Time // of the failures
	open     bool
	next     time.Time // when a call is let through, while open
	last     *Error    // of the failures
}

// admit is nil when a call may be sent.
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
		safe:       allSafe(r.cmds),
		retryAfter: wait,
	}
}

func (c *circuit) delay() time.Duration {
	if c.last.kind == KindQuota {
		return c.set.QuotaDelay
	}
	return c.set.Delay
}

// failed counts an attempt that shows the database unusable.
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

// Circuit is what a client's breaker makes of the database.
type Circuit struct {
	Open     bool
	Failures int       // in a row
	Last     error     // an *Error; nil while the database answers
	Since    time.Time // of the first of them; zero without one
}

// Circuit tells how the breaker stands, without asking the database.
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
