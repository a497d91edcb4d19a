package limit

import (
	"math"
	"net/netip"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
)

// pool is how many commands one process may spend for all strangers together: a bucket that
// fills at a rate up to a burst, and is full at the start. If it runs low, it serves the
// strangers who ask less often than the others. A refusal takes nothing from the bucket, so it
// changes nothing for others. Times are Unix nanoseconds.
type pool struct {
	rule    Rule // names a refusal; without a Count there is no bound
	burst   float64
	level   float64 // as of filled; below 0 after requests that cost more than expected
	filled  int64
	callers *lru.Cache[netip.Prefix, visitor]
}

// visitor is how often an address has asked. It decides which strangers go first.
type visitor struct {
	first int64   // when it came first
	asked int64   // when it came last
	asks  float64 // requests, granted or not; each fades with askMemory
}

const (
	// askMemory is the time after which a request counts as 1/e.
	askMemory = time.Minute
	// An address is taken to have asked newcomerAsks times in newcomerTime before its first
	// request: more often than a reader does, less often than an attacker.
	newcomerAsks = 1.0
	newcomerTime = 10 * time.Second
)

// keepFor is the part of the burst that a request must leave in the pool, for addresses that
// ask less often, if its own address asks that often a minute: 0.17 at twice a minute, 0.29 at
// six times, as for a newcomer, 0.62 at once a second. No rate is refused as such. While
// strangers ask for more than flows in, the level falls until the pool serves only some of the
// addresses that ask often, and all that ask less often. The part grows with the logarithm, so
// that asking five times as often makes the same difference with few processes as with many.
func keepFor(aMinute float64) float64 { return min(mostKept, 0.15*math.Log1p(aMinute)) }

// mostKept is the part of the burst that every request may leave in the pool, however often its
// address asks. Work for viewers must always leave it.
const mostKept = 0.8

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

// visitor is what the process knows of an address by now. If the clock was moved back, it
// starts from scratch.
func (p *pool) visitor(from netip.Prefix, now int64) visitor {
	v, ok := p.callers.Get(from)
	if !ok || now < v.asked {
		return visitor{first: now, asked: now}
	}
	v.asks *= math.Exp(-float64(now-v.asked) / float64(askMemory))
	return v
}

// reserve is the part of the burst that a request of an address must leave. The request itself
// does not count for how often the address asks.
func (p *pool) reserve(from netip.Prefix, now int64) float64 {
	v := p.visitor(from, now)
	remembered := askMemory.Minutes() * -math.Expm1(-float64(now-v.first)/float64(askMemory))
	return keepFor((max(0, v.asks-1) + newcomerAsks) / (remembered + newcomerTime.Minutes()))
}

// wait is how long a caller has to wait until the pool may spend that many commands for it; 0:
// not at all. An invalid address is this machine, which never waits.
func (p *pool) wait(who Caller, most int, now int64) time.Duration {
	from := who.Address
	if p.rule.Count == 0 || !from.IsValid() {
		return 0
	}
	rate := float64(p.rule.Count) / float64(p.rule.Window) // a nanosecond
	if now > p.filled {
		p.level = min(p.burst, p.level+rate*float64(now-p.filled))
	}
	p.filled = now
	keep := p.burst * mostKept
	if !who.Viewers {
		keep = p.burst * p.reserve(from, now)
	}
	// A request that could cost more than the pool ever has waits until the pool is full.
	lacks := min(float64(most)+keep, p.burst) - p.level
	if lacks <= 0 {
		return 0
	}
	return time.Duration(math.Ceil(lacks / rate))
}

// draw takes from the pool what a request may cost, and returns what it has taken.
func (p *pool) draw(from netip.Prefix, most int) int {
	if p.rule.Count == 0 || !from.IsValid() {
		return 0
	}
	p.level -= float64(most)
	return most
}

// give puts back what was drawn for a request and not spent.
func (p *pool) give(drawn, spent int) {
	if drawn > 0 {
		p.level = min(p.burst, p.level+float64(drawn-spent))
	}
}

// cellsPerWindow is how finely a window is counted: requests within one such part of it share a
// cell, and leave the window together with the last of them.
const cellsPerWindow = 32

// window is what one caller was granted within the last window. Times are Unix nanoseconds.
type window struct{ cells []cell }

type cell struct {
	first, last int64
	n           int
}

// drop forgets what is no longer in the window that ends now. If the clock was moved back by
// more than a window, it forgets everything.
func (w *window) drop(now, length int64) {
	if k := len(w.cells); k > 0 && now < w.cells[k-1].last-length {
		w.cells = w.cells[:0]
	}
	expired := 0
	for expired < len(w.cells) && w.cells[expired].last <= now-length {
		expired++
	}
	if expired > 0 {
		w.cells = append(w.cells[:0], w.cells[expired:]...)
	}
}

// count is how many were in the window at the last drop.
func (w *window) count() (n int) {
	for _, c := range w.cells {
		n += c.n
	}
	return n
}

// countAt is how many of them will still be in the window at a later time.
func (w *window) countAt(at, length int64) (n int) {
	for _, c := range w.cells {
		if c.last > at-length {
			n += c.n
		}
	}
	return n
}

func (w *window) add(now, length int64, n int) {
	if k := len(w.cells); k > 0 && now-w.cells[k-1].first < length/cellsPerWindow {
		w.cells[k-1].n += n
		w.cells[k-1].last = max(w.cells[k-1].last, now)
		return
	}
	w.cells = append(w.cells, cell{now, now, n})
}

// takeBack removes up to n that were added at a time, and returns how many it has removed.
func (w *window) takeBack(at int64, n int) int {
	for i, c := range w.cells {
		if c.first > at || c.last < at {
			continue
		}
		n = min(n, c.n)
		if w.cells[i].n -= n; w.cells[i].n == 0 {
			w.cells = append(w.cells[:i], w.cells[i+1:]...)
		}
		return n
	}
	return 0
}
