package limit

import (
	"math"
	"net/netip"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
)

// pool is what one process may spend, in commands, for all strangers together: a bucket that
// fills at a rate up to a burst, and is full at the start. Where it runs low, those strangers
// are served who ask less often than the others. A refusal changes nothing for anybody else,
// and nothing after the bucket has filled. Times are Unix nanoseconds.
type pool struct {
	rule    Rule // names a refusal; no Count: there is no bound
	burst   float64
	level   float64 // as of filled; below 0 after requests that cost more than thought
	filled  int64
	callers *lru.Cache[netip.Prefix, visitor]
}

// visitor is how often an address has asked, which decides who goes first.
type visitor struct {
	first int64   // when it came first
	asked int64   // when it came last
	asks  float64 // requests, granted or not; each fades with askMemory
}

const (
	// askMemory is the time in which a request fades to 1/e.
	askMemory = time.Minute
	// An address of which little is known counts as one that has asked newcomerAsks times in
	// newcomerTime before it came: more often than a reader does, less often than an attack.
	newcomerAsks = 1.0
	newcomerTime = 10 * time.Second
)

// keepFor is the part of the burst that must stay in the pool after a request of an address
// that asks so often a minute, for addresses that ask less often: 0.17 at twice a minute, 0.29
// at six times, as for a newcomer, 0.62 at once a second. No rate is refused as such. While
// strangers ask for more than flows in, the level falls to where it serves some of the
// addresses that ask often, and all that ask less often. It grows with the logarithm, so that
// five times as often makes the same difference for few processes as for many.
func keepFor(aMinute float64) float64 { return min(0.8, 0.15*math.Log1p(aMinute)) }

func newPool(l game.CommandLimits) pool {
	return pool{
		rule:  Rule{Name: string(Commands) + "-unverified", Count: l.Unverified.Count, Window: l.Unverified.Window, commands: true},
		burst: float64(l.Burst), level: float64(l.Burst), callers: lru.New[netip.Prefix, visitor](remembered),
	}
}

// ask notes that an address asks for something.
func (p *pool) ask(from netip.Prefix, now int64) {
	if !from.IsValid() {
		return
	}
	v := p.visitor(from, now)
	v.asks, v.asked = v.asks+1, now
	p.callers.Add(from, v)
}

// visitor is what is known of an address by now. A clock that was moved back
// begins anew.
func (p *pool) visitor(from netip.Prefix, now int64) visitor {
	v, ok := p.callers.Get(from)
	if !ok || now < v.asked {
		return visitor{first: now, asked: now}
	}
	v.asks *= math.Exp(-float64(now-v.asked) / float64(askMemory))
	return v
}

// kept is the part of the burst that an address must leave. Its present request does not count
// against it.
func (p *pool) kept(from netip.Prefix, now int64) float64 {
	v := p.visitor(from, now)
	remembered := askMemory.Minutes() * -math.Expm1(-float64(now-v.first)/float64(askMemory))
	return keepFor((max(0, v.asks-1) + newcomerAsks) / (remembered + newcomerTime.Minutes()))
}

// wait is how long an address has to wait until so many commands may be spent for it; 0: not
// at all. An invalid address is this machine.
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

// give puts back what a request did not spend of what was drawn for it.
func (p *pool) give(drawn, spent int) {
	if drawn > 0 {
		p.level = min(p.burst, p.level+float64(drawn-spent))
	}
}
