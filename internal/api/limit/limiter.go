package limit

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
)

// remembered is how many callers each rule keeps in memory.
const remembered = 8192

// Options are what a Limiter is made of.
type Options struct {
	Limits game.Limits
	Store  Store
	Now    func() time.Time
}

// Limiter counts the callers of one process. It is safe for concurrent use.
type Limiter struct {
	store Store
	now   func() time.Time

	mu     sync.Mutex
	tables map[Class][]table
	pool   pool
}

type table struct {
	counted
	callers *lru.Cache[string, *caller]
}

// New makes a Limiter.
func New(o Options) *Limiter {
	l := &Limiter{store: o.Store, now: o.Now, tables: map[Class][]table{}, pool: newPool(o.Limits.Commands)}
	for class, all := range rules(o.Limits) {
		for _, r := range all {
			l.tables[class] = append(l.tables[class], table{r, lru.New[string, *caller](remembered)})
		}
	}
	return l
}

// Caller is who sent a request. Empty fields are not counted.
type Caller struct {
	Player  string       // verified, see game.ValidPlayer
	Key     string       // id of the signing key, verified
	Address netip.Prefix // see Address
	// Anonymous marks a device. Anybody may have any number of devices, so the addresses of
	// devices count under a rule of their own.
	Anonymous bool
	// Viewers marks work for the viewers of a live board, of whom one is charged. Strangers who
	// ask for something are served before it.
	Viewers bool
}

// isStranger reports whether the caller has neither a signing key nor a player's token. A
// device is a stranger too: its token only says that somebody has asked for one.
func (c Caller) isStranger() bool { return c.Key == "" && (c.Player == "" || c.Anonymous) }

func (c Caller) idOf(k kind) string {
	switch {
	case k == byPlayer:
		return c.Player
	case k == byKey:
		return c.Key
	case k == byAnonymous && !c.Anonymous, k == byStranger && !c.isStranger():
	case c.Address.IsValid():
		return c.Address.String()
	}
	return ""
}

// Decision is the decision about one request.
type Decision struct {
	Allowed   bool
	Rule      Rule          // the rule that refused, else the one with the least left; without a Name none applies
	Remaining int           // requests that may still pass
	Wait      time.Duration // if refused: until the next may pass, above 0
	settle    func(spent int)
}

// TakeBack uncounts a request that passed but should not count. What was reported to Redis
// stays there.
func (d Decision) TakeBack() { d.Settle(0) }

// Settle corrects what a request counts as to the commands that it has cost. It is called once.
func (d Decision) Settle(spent int) {
	if d.settle != nil {
		d.settle(spent)
	}
}

// Take counts one request of a class, or refuses it. A refused request counts under no rule;
// it only counts as one more request of its address, which decides which strangers go first.
//
// Cost: see the package; at most 2 billed commands for each rule, one for a pause, in one round
// trip, and none if the process already knows that it refuses.
//
// The error is that of ctx or, under a closed rule, that of Redis.
func (l *Limiter) Take(ctx context.Context, class Class, who Caller) (Decision, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now().UnixNano()
	if who.isStranger() && class != Free && class != Refused {
		l.pool.ask(who.Address, now)
	}
	return l.take(ctx, class, who, 1, now)
}

// Spend counts the most commands that a request may cost, before the first of them, or refuses
// the request. Afterwards the caller passes what the request has cost to the decision's Settle.
// Strangers share what the process spends for all of them; those who ask seldom go first.
//
// Cost: none. The error is that of ctx.
func (l *Limiter) Spend(ctx context.Context, who Caller, most int) (Decision, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now().UnixNano()
	if !who.isStranger() {
		return l.take(ctx, Commands, who, most, now)
	}
	who.Player = "" // anybody gets devices for nothing, so they count by their address
	if wait := l.pool.wait(who, most, now); wait > 0 {
		return Decision{Rule: l.pool.rule, Wait: wait}, nil
	}
	d, err := l.take(ctx, Commands, who, most, now)
	if err != nil || !d.Allowed {
		return d, err
	}
	drawn := l.pool.draw(who.Address, most)
	own := d.settle
	d.settle = func(spent int) {
		own(spent)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.pool.give(drawn, spent)
	}
	return d, nil
}

// take counts n under every rule of a class, or refuses. The caller holds l.mu.
func (l *Limiter) take(ctx context.Context, class Class, who Caller, n int, now int64) (Decision, error) {
	callers, err := l.find(ctx, class, who)
	if err != nil {
		return Decision{}, err
	}
	var asking []*caller
	for _, c := range callers {
		switch c.decide(now, n) {
		case refuse:
			return refusal(c, now, n), nil
		case ask:
			asking = append(asking, c)
		}
	}
	if len(asking) > 0 {
		refused, err := l.exchange(ctx, callers, asking, now, n)
		if err != nil {
			return Decision{}, err
		}
		if refused != nil {
			return refusal(refused, now, n), nil
		}
	} else {
		for _, c := range callers {
			c.add(now, n)
		}
	}
	return l.granted(callers, now, n), nil
}

// find returns the caller under each rule that applies, once none of them is busy. The caller
// of find holds l.mu; find releases it while it waits.
func (l *Limiter) find(ctx context.Context, class Class, who Caller) ([]*caller, error) {
	for {
		var all []*caller
		var busy chan struct{}
		for _, t := range l.tables[class] {
			id := who.idOf(t.by)
			if id == "" {
				continue
			}
			c, ok := t.callers.Get(id)
			if !ok {
				c = &caller{rule: t.Rule, id: id}
				t.callers.Add(id, c)
			}
			if c.busy != nil {
				busy = c.busy
				break
			}
			all = append(all, c)
		}
		if busy == nil {
			return all, nil
		}
		l.mu.Unlock()
		select {
		case <-busy:
			l.mu.Lock()
		case <-ctx.Done():
			l.mu.Lock()
			return nil, context.Cause(ctx)
		}
	}
}

// exchange asks Redis, and counts the request if it may pass. It releases l.mu meanwhile; all
// the callers are busy then, so that no other request changes them.
func (l *Limiter) exchange(ctx context.Context, callers, asking []*caller, now int64, n int) (refused *caller, err error) {
	asks := make([]Ask, len(asking))
	for i, c := range asking {
		asks[i] = c.question(now, n)
	}
	done := make(chan struct{})
	for _, c := range callers {
		c.busy = done
	}
	l.mu.Unlock()
	answers, err := l.store.Exchange(ctx, asks)
	l.mu.Lock()
	for _, c := range callers {
		c.busy = nil
	}
	close(done)
	for i, c := range asking {
		if err != nil && c.rule.Closed {
			return nil, err
		}
		if err != nil {
			continue
		}
		if !c.learn(asks[i], answers[i], n) {
			refused = c
		}
	}
	if refused == nil {
		for _, c := range callers {
			c.add(now, n)
		}
	}
	return refused, nil
}

func refusal(c *caller, now int64, n int) Decision {
	return Decision{Rule: c.rule, Wait: max(time.Duration(c.opens(now, n)-now), 1)}
}

// granted is the decision about a request that has been counted as n.
func (l *Limiter) granted(callers []*caller, now int64, n int) Decision {
	d := Decision{Allowed: true}
	for _, c := range callers {
		if left := c.remaining(now); d.Rule.Name == "" || left < d.Remaining {
			d.Rule, d.Remaining = c.rule, left
		}
	}
	d.settle = func(spent int) {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, c := range callers {
			c.correct(now, n, spent)
		}
	}
	return d
}

// Names of the header fields, as draft-ietf-httpapi-ratelimit-headers has them.
const (
	PolicyHeader = "RateLimit-Policy"
	LimitHeader  = "RateLimit"
)

// Policy is the value of RateLimit-Policy: "submit-player";q=20;w=60, where q is
// the quota and w the window in seconds.
func (d Decision) Policy() string {
	return fmt.Sprintf("%q;q=%d;w=%d", d.Rule.Name, d.Rule.Count, seconds(d.Rule.Window))
}

// Limit is the value of RateLimit: "submit-player";r=19, where r is what remains. If the request
// is refused, t is how many seconds to wait.
func (d Decision) Limit() string {
	if d.Wait > 0 {
		return fmt.Sprintf("%q;r=%d;t=%d", d.Rule.Name, d.Remaining, seconds(d.Wait))
	}
	return fmt.Sprintf("%q;r=%d", d.Rule.Name, d.Remaining)
}

// seconds rounds up, so that a client that waits that long is not too early.
func seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }
