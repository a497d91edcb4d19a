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

// set keeps what Redis counted.
func (t *totals) set(board string, players int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byBoard.Add(board, total{players, t.elapsed()})
}

// grow counts players this process has just added, without making the count
// any younger.
func (t *totals) grow(board string, players int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known, ok := t.byBoard.Get(board); ok {
		known.players += players
		t.byBoard.Add(board, known)
	}
}

func (t *totals) forget(board string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byBoard.Remove(board)
}
