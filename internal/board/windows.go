package board

import (
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// rememberWindows bounds the tops of boards held in memory: at 200 entries of
// some 150 bytes each, about 8 MB.
const rememberWindows = 256

// windows remembers the top of boards, named and ranked, until they are too
// old or this process writes to the board.
type windows struct {
	elapsed func() time.Duration
	mu      sync.Mutex
	byBoard *lru.Cache[string, window]
	writes  *lru.Cache[string, uint64] // counts own writes, so that a read begun before one is not kept
	clock   uint64
}

type window struct {
	page Page
	at   time.Duration
}

func newWindows(elapsed func() time.Duration) *windows {
	return &windows{
		elapsed: elapsed,
		byBoard: newLRU[string, window](rememberWindows),
		writes:  newLRU[string, uint64](rememberBoards),
	}
}

// top answers the first limit entries if they are held and at most maxAge old.
func (w *windows) top(board string, limit int64, maxAge time.Duration) (Page, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	held, ok := w.byBoard.Get(board)
	if !ok || w.elapsed()-held.at >= maxAge {
		return Page{}, false
	}
	page := held.page
	if n := int64(len(page.Entries)); n < limit && page.more {
		return Page{}, false
	} else if limit < n {
		page.Entries, page.more = page.Entries[:limit:limit], true
	}
	return page, true
}

// begin is called before a read whose result may be kept.
func (w *windows) begin(board string) (mark uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, _ := w.writes.Get(board)
	return n
}

// keep holds what was read, unless this process has written since begin.
func (w *windows) keep(board string, mark uint64, page Page) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n, _ := w.writes.Get(board); n == mark {
		w.byBoard.Add(board, window{page, w.elapsed()})
	}
}

// forget is called after a write to the board.
func (w *windows) forget(board string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock++
	w.writes.Add(board, w.clock)
	w.byBoard.Remove(board)
}

func (w *windows) purge() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.byBoard.Purge()
}
