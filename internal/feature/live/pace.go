package live

import (
	"sync"
	"time"
)

// ownGap is the least time between two reads of own cards in one process. It bounds what
// viewers with a token can cost: 20 cards a second.
const ownGap = 50 * time.Millisecond

// pace gives out turns at least a gap apart. The zero pace is ready.
type pace struct {
	mu   sync.Mutex
	next time.Time
}

// turn returns how long to wait for the next turn; 0 means that the caller has it now.
func (p *pace) turn(gap time.Duration) (wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if wait = p.next.Sub(now); wait > 0 {
		return wait
	}
	p.next = now.Add(gap)
	return 0
}

// giveBack makes the next turn begin now, since the last one was not used.
func (p *pace) giveBack() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = time.Now()
}
