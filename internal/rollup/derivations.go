package rollup

import (
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/memory"
)

// derivation is what a process remembers of a derived board: in which interval it
// was last found fresh, and since when a refresh that is known to be complete was
// under way. What was written before that is on the board.
type derivation struct {
	slot  int64
	at    time.Duration
	since time.Time // zero: none is known
	waits bool      // somebody else's refresh was under way
	alone int       // so many times more it may be made without its lock: see quiet.go
	made  bool      // by this very call: not remembered
}

// waitsFor is how long a process that has found another at a refresh takes it that
// it is: the other may have died.
const waitsFor = 5 * time.Second

func (d derivation) fresh(slot int64, now, interval time.Duration) bool {
	if d.waits {
		interval = min(interval, waitsFor)
	}
	return d.slot == slot && now-d.at < interval
}

// derivations are those of all boards that a process has seen. Requests change them side
// by side.
type derivations struct {
	*lru.Cache[string, derivation]
	claiming sync.Mutex
}

func newDerivations() *derivations {
	return &derivations{Cache: lru.New[string, derivation](memory.RememberBoards)}
}

// claim puts what is known of a board in the place of what was, unless another request
// has done so meanwhile: that one makes the board.
func (d *derivations) claim(board string, last, now derivation) (meanwhile derivation, ok bool) {
	d.claiming.Lock()
	defer d.claiming.Unlock()
	if meanwhile, _ = d.Get(board); meanwhile != last {
		return meanwhile, false
	}
	d.Add(board, now)
	return now, true
}

// noteSince keeps since when a board is that others may have claimed meanwhile.
func (d *derivations) noteSince(board string, since time.Time) {
	d.claiming.Lock()
	defer d.claiming.Unlock()
	if known, ok := d.Get(board); ok && since.After(known.since) {
		known.since = since
		d.Add(board, known)
	}
}
