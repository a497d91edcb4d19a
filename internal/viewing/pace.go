package viewing

import (
	"sync"
	"time"
)

// ownGap is the least time between two looks at own standings in one process, which
// bounds what viewers with a token can cost: 20 cards a second.
const ownGap = 50 * time.Millisecond

// pace gives out turns. The zero pace is ready.
type pace struct {
	mu   sync.Mutex
	next time.Time
}

// turn is how long to wait for one's turn; with 0 it is now, and taken.
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
