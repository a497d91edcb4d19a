package board

import (
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// totals remembers how many players stand on a board, so that not every
// answer has to ask. Own additions are counted in at once.
type totals struct {
	elapsed func() time.Duration
	mu      sync.Mutex
	byBoard *lru.Cache[string, total]
}

type total struct {
	players int64
	at      time.Duration
	counted uint64 // how often Redis has counted it for this process
}

func newTotals(elapsed func() time.Duration) *totals {
	return &totals{elapsed: elapsed, byBoard: newLRU[string, total](rememberBoards)}
}

// fresh answers the total when it is known and at most totalFresh old.
func (t *totals) fresh(board string) (int64, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known, ok := t.byBoard.Get(board)
	if !ok || t.elapsed()-known.at > totalFresh {
		return 0, false
	}
	return known.players, true
}

// last answers the total however old it is.
func (t *totals) last(board string) (int64, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known, ok := t.byBoard.Peek(board)
	return known.players, ok
}

// set keeps what Redis counted.
func (t *totals) set(board string, players int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known, _ := t.byBoard.Get(board)
	t.byBoard.Add(board, total{players, t.elapsed(), known.counted + 1})
}

// mark is taken before a write that may grow the board.
func (t *totals) mark(board string) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	known, _ := t.byBoard.Get(board)
	return known.counted
}

// grow counts in a player this process has added, without making the count any
// younger; unless Redis has counted since the mark, perhaps that player too: a
// total may be old, but not too high.
func (t *totals) grow(board string, mark uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known, ok := t.byBoard.Get(board); ok && known.counted == mark {
		known.players++
		t.byBoard.Add(board, known)
	}
}

func (t *totals) forget(board string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byBoard.Remove(board)
}

func (t *totals) purge() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byBoard.Purge()
}
