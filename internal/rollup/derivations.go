package rollup

import (
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/memory"
)

// derivation is what a process remembers of a derived board: in which interval it last saw the
// board fresh, and when the last complete refresh that it knows of began. Everything that was
// written before that moment is on the board.
type derivation struct {
	slot  int64
	at    time.Duration
	since time.Time // zero: none is known
	waits bool      // another process was at the refresh
	alone int       // how many more times the board may be made without its lock: see quiet.go
	made  bool      // this very call has made the board; not remembered
}

// waitsFor is how long a process believes that another one, which it found making the board, is
// still doing so: the other process may have ended.
const waitsFor = 5 * time.Second

func (d derivation) fresh(slot int64, now, interval time.Duration) bool {
	if d.waits {
		interval = min(interval, waitsFor)
	}
	return d.slot == slot && now-d.at < interval
}

// derivations remembers the derivation of each board that a process has seen. Concurrent
// requests change it.
type derivations struct {
	*lru.Cache[string, derivation]
	claiming sync.Mutex
}

func newDerivations() *derivations {
	return &derivations{Cache: lru.New[string, derivation](memory.RememberBoards)}
}

// claim replaces what is known of a board, unless another request has replaced it meanwhile:
// then that request makes the board, and claim returns what it has put in.
func (d *derivations) claim(board string, last, now derivation) (meanwhile derivation, ok bool) {
	d.claiming.Lock()
	defer d.claiming.Unlock()
	if meanwhile, _ = d.Get(board); meanwhile != last {
		return meanwhile, false
	}
	d.Add(board, now)
	return now, true
}

// noteSince keeps a later since of a board, which other requests may have claimed meanwhile.
func (d *derivations) noteSince(board string, since time.Time) {
	d.claiming.Lock()
	defer d.claiming.Unlock()
	if known, ok := d.Get(board); ok && since.After(known.since) {
		known.since = since
		d.Add(board, known)
	}
}
