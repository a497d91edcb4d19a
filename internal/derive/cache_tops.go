package derive

import (
	"slices"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
)

// rememberWindows is how many boards' tops are remembered at most: at 200 entries of some 150
// bytes each, about 8 MB.
const rememberWindows = 256

// Windows remembers the tops of boards, with ranks and names, until they are too old or this
// process writes to the board.
type Windows struct {
	elapsed func() time.Duration
	mu      sync.Mutex
	byBoard *lru.Cache[string, window]
	writes  *lru.Cache[string, uint64] // changes with each write, so that a read from before a write is not kept
	clock   uint64

	answers   *lru.Cache[string, *recalled]
	forgotten *lru.Cache[string, uint64] // changes with each Forget, so that a read from before it is not kept
	purged    uint64
}

type window struct {
	page game.Page
	at   time.Duration
	old  bool // the board has changed since: the top is shown only while Redis refuses
}

// AnyAge as maxAge takes a top of any age.
const AnyAge = time.Duration(-1)

func NewWindows(elapsed func() time.Duration) *Windows {
	return &Windows{
		elapsed: elapsed,
		byBoard: lru.New[string, window](rememberWindows),
		writes:  lru.New[string, uint64](RememberBoards),

		answers:   lru.New[string, *recalled](recallBoards),
		forgotten: lru.New[string, uint64](RememberBoards),
	}
}

// Top returns the first limit entries, if they are in memory and at most maxAge old.
func (w *Windows) Top(board string, limit int64, maxAge time.Duration) (page game.Page, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	held, ok := w.byBoard.Get(board)
	if !ok || maxAge != AnyAge && (held.old || w.elapsed()-held.at >= maxAge) {
		return game.Page{}, false
	}
	page = held.page
	if n := int64(len(page.Entries)); n < limit && page.More {
		return game.Page{}, false
	} else if limit < n {
		page.Entries, page.More = page.Entries[:limit:limit], true
	}
	return page, true
}

// Begin is called before a read whose result may be kept.
func (w *Windows) Begin(board string) (mark uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, _ := w.writes.Get(board)
	return n
}

// Keep remembers what was read, unless this process has written to the board since Begin.
func (w *Windows) Keep(board string, mark uint64, page game.Page) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n, _ := w.writes.Get(board); n == mark {
		w.byBoard.Add(board, window{page: page, at: w.elapsed()})
	}
}

// Outdate is called when a board may have changed, as after a write or a refresh: its top is
// shown only while Redis refuses.
func (w *Windows) Outdate(board string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock++
	w.writes.Add(board, w.clock)
	if held, ok := w.byBoard.Peek(board); ok {
		held.old = true
		w.byBoard.Add(board, held)
	}
}

// Forget is called after a write that may have removed entries: these are not shown again, not
// even while Redis refuses.
func (w *Windows) Forget(board string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock++
	w.writes.Add(board, w.clock)
	w.byBoard.Remove(board)
	if w.forgotten.Add(board, w.clock) {
		w.answers.Purge() // the cache has dropped the count of another board, and does not say which
		w.purged = w.clock
	}
	w.answers.Remove(board)
}

// ForgetPlayer is called after a change of how a player is shown.
func (w *Windows) ForgetPlayer(player string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, board := range w.byBoard.Keys() {
		held, _ := w.byBoard.Peek(board)
		if slices.ContainsFunc(held.page.Entries, func(e game.Entry) bool { return e.Player == player }) {
			w.clock++
			w.writes.Add(board, w.clock)
			w.byBoard.Remove(board)
		}
	}
}

func (w *Windows) Purge() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock++
	w.purged = w.clock
	w.byBoard.Purge()
	w.answers.Purge()
}
