package derive

import (
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/lru"
)

// totalFresh is how old a remembered total may be in the answer to a submission.
const totalFresh = 10 * time.Second

// Totals remembers how many players boards have, so that not every answer has to ask Redis. It
// counts players whom this process adds at once.
type Totals struct {
	elapsed func() time.Duration
	mu      sync.Mutex
	byBoard *lru.Cache[string, boardTotal]
	largest int64 // the largest total since the last Purge; 0: there is none
}

type boardTotal struct {
	players int64
	at      time.Duration
	counted uint64 // how often Redis has counted it for this process
}

func NewTotals(elapsed func() time.Duration) *Totals {
	return &Totals{elapsed: elapsed, byBoard: lru.New[string, boardTotal](RememberBoards)}
}

// Fresh returns the total if it is known and at most totalFresh old.
func (t *Totals) Fresh(board string) (int64, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known, ok := t.byBoard.Get(board)
	if !ok || !t.isFresh(known) {
		return 0, false
	}
	return known.players, true
}

func (t *Totals) isFresh(known boardTotal) bool { return t.elapsed()-known.at <= totalFresh }

// Begin is what is known of a board when a write to it begins: the total, however old it is,
// whether it is fresh, and a mark for Grow.
func (t *Totals) Begin(board string) (players int64, known, fresh bool, mark uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	last, known := t.byBoard.Get(board)
	return last.players, known, known && t.isFresh(last), last.counted
}

// Last returns the total, however old it is.
func (t *Totals) Last(board string) (int64, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known, ok := t.byBoard.Peek(board)
	return known.players, ok
}

// Likely guesses the total of a board. If this process knows the board, that is its last total;
// otherwise it is the total of the largest board that the process knows, since the boards of a
// game are much alike. A wrong guess may cost a command and never decides an answer.
func (t *Totals) Likely(board string) (players int64, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known, ok := t.byBoard.Peek(board); ok {
		return known.players, true
	}
	return t.largest, t.largest > 0
}

// Set remembers a total that Redis has counted.
func (t *Totals) Set(board string, players int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known, _ := t.byBoard.Get(board)
	t.byBoard.Add(board, boardTotal{players, t.elapsed(), known.counted + 1})
	t.largest = max(t.largest, players)
}

// Mark is taken before a write that may grow the board.
func (t *Totals) Mark(board string) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	known, _ := t.byBoard.Get(board)
	return known.counted
}

// Grow counts a player whom this process has added. The total's age stays the same. If Redis has
// counted since the mark, Grow does nothing, since that count may have the player already: a
// total may be old, but not too high.
func (t *Totals) Grow(board string, mark uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known, ok := t.byBoard.Get(board); ok && known.counted == mark {
		known.players++
		t.byBoard.Add(board, known)
	}
}

func (t *Totals) Forget(board string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byBoard.Remove(board)
}

func (t *Totals) Purge() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byBoard.Purge()
	t.largest = 0
}
