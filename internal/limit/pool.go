package limit

import (
	"math"
	"net/netip"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/framedle/leaderboards/internal/game"
)

// pool is what one process may spend, in commands, for all callers together for
// whom no credential speaks: a bucket that fills at a rate up to a burst. It is
// full at the start. Where it runs low, those are served whom the process knows
// and who ask seldom. Its own refusals change nothing for anybody else, and
// nothing after it has filled. Times are Unix nanoseconds.
type pool struct {
	rule    Rule // names a refusal; no Count: there is no bound
	burst   float64
	level   float64 // as of filled; below 0 after requests that cost more than thought
	filled  int64
	callers *simplelru.LRU[netip.Prefix, visitor]
}

// visitor is an address, as far as it matters who goes first.
type visitor struct {
	first int64   // when it came first
	asked int64   // when it came last
	asks  float64 // requests, granted or not, of which askPace takes one off
}

const (
	// askPace is how often an address may ask for ever and still not be eager: half
	// as often as the limit of 30 reads a minute allows, since thousands of
	// addresses that go just as far as that are what the bucket is for.
	askPace = 4 * time.Second
	// eagerAsks is how many requests at once do not make an address eager, and
	// mostAsks bounds how long it stays so after its last request: 10 s.
	eagerAsks = 3.0
	mostAsks  = eagerAsks + 2.5
	// knownAfter is how long ago an address must have come first to be known.
	knownAfter = 10 * time.Second
)

// What must stay in the pool after a request, as a part of the burst: nothing
// for known callers who ask seldom, so that what is kept from the others is there
// for them.
const (
	keepFromNewcomers = 0.25
	keepFromEager     = 0.5
)

func newPool(l game.CommandLimits) pool {
	callers, _ := simplelru.NewLRU[netip.Prefix, visitor](remembered, nil) // fails for sizes below one only
	return pool{
		rule:  Rule{Name: string(Commands) + "-unverified", Count: l.Unverified.Count, Window: l.Unverified.Window, commands: true},
		burst: float64(l.Burst), level: float64(l.Burst), callers: callers,
	}
}

// ask notes that an address asks for something.
func (p *pool) ask(from netip.Prefix, now int64) {
	if !from.IsValid() {
		return
	}
	v := p.visitor(from, now)
	v.asks, v.asked = min(v.asks+1, mostAsks), now
	p.callers.Add(from, v)
}

// visitor is what is known of an address by now. A clock that was moved back
// begins anew.
func (p *pool) visitor(from netip.Prefix, now int64) visitor {
	v, ok := p.callers.Get(from)
	if !ok || now < v.asked {
		return visitor{first: now, asked: now}
	}
	v.asks = max(0, v.asks-float64(now-v.asked)/float64(askPace))
	return v
}

// kept is the part of the burst that an address must leave.
func (p *pool) kept(from netip.Prefix, now int64) float64 {
	switch v := p.visitor(from, now); {
	case v.asks > eagerAsks:
		return keepFromEager
	case now-v.first < int64(knownAfter):
		return keepFromNewcomers
	}
	return 0
}

// wait is how long an address has to wait until so many commands may be spent
// for it; 0: not at all. What is no address is this machine.
func (p *pool) wait(from netip.Prefix, most int, now int64) time.Duration {
	if p.rule.Count == 0 || !from.IsValid() {
		return 0
	}
	rate := float64(p.rule.Count) / float64(p.rule.Window) // a nanosecond
	if now > p.filled {
		p.level = min(p.burst, p.level+rate*float64(now-p.filled))
	}
	p.filled = now
	keep := p.burst * p.kept(from, now)
	// A request that could cost more than the pool ever has to spare waits until
	// it is full.
	lacks := min(float64(most)+keep, p.burst) - p.level
	if lacks <= 0 {
		return 0
	}
	return time.Duration(math.Ceil(lacks / rate))
}

// draw takes out what a request may cost, and returns what was taken.
func (p *pool) draw(from netip.Prefix, most int) int {
	if p.rule.Count == 0 || !from.IsValid() {
		return 0
	}
	p.level -= float64(most)
	return most
}

// give puts back what a request did not cost of what was drawn for it.
func (p *pool) give(drawn, spent int) {
	if drawn > 0 {
		p.level = min(p.burst, p.level+float64(drawn-spent))
	}
}
