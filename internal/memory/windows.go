package memory

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
)

const (
	// rememberWindows is how many boards' tops are remembered at most: at 200 entries of some
	// 150 bytes each, about 8 MB.
	rememberWindows = 256
	// WindowSize is the size of the longest page, and one entry more that says whether the
	// board goes on.
	WindowSize = 201
)

// Windows remembers the tops of boards, with ranks, until they are too old. What this process
// writes to a board is in its top at once.
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
	page  game.Page
	named int // how many entries, from the first on, have their names
	at    time.Duration
	old   bool // the board has changed since: the top is shown only while Redis refuses
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

// Top returns the first limit entries, if they are in memory and at most maxAge old, and
// whether they have their names.
func (w *Windows) Top(board string, limit int64, maxAge time.Duration) (page game.Page, named, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	held, ok := w.byBoard.Get(board)
	if !ok || maxAge != AnyAge && (held.old || w.elapsed()-held.at >= maxAge) {
		return game.Page{}, false, false
	}
	page = held.page
	if n := int64(len(page.Entries)); n < limit && page.More {
		return game.Page{}, false, false
	} else if limit < n {
		page.Entries, page.More = page.Entries[:limit:limit], true
	}
	return page, held.named >= len(page.Entries), true
}

// Begin is called before a read whose result may be kept.
func (w *Windows) Begin(board string) (mark uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, _ := w.writes.Get(board)
	return n
}

// Keep remembers what was read, unless this process has written to the board since Begin.
func (w *Windows) Keep(board string, mark uint64, page game.Page, named int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n, _ := w.writes.Get(board); n == mark {
		w.byBoard.Add(board, window{page: page, named: named, at: w.elapsed()})
	}
}

// Name adds names to the first entries in memory, unless this process has written to the board
// since Begin.
func (w *Windows) Name(board string, mark uint64, named []game.Entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	held, ok := w.byBoard.Peek(board)
	if n, _ := w.writes.Get(board); !ok || n != mark || len(held.page.Entries) < len(named) {
		return
	}
	held.page.Entries = slices.Concat(named, held.page.Entries[len(named):])
	held.named = len(named)
	w.byBoard.Add(board, held)
}

// Put is called after a write, with the player's present entry, and the total or, if that is
// not known, 0. If the top is not the whole board, Put does not count the player, who may be in
// the total already: a total may be old, but not too high.
func (w *Windows) Put(b game.Board, e game.Entry, players int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock++
	w.writes.Add(b.Key, w.clock)
	held, ok := w.byBoard.Peek(b.Key)
	if !ok {
		return
	}
	page := held.page
	length := len(page.Entries)
	entries := slices.DeleteFunc(slices.Clone(page.Entries), func(other game.Entry) bool { return other.Player == e.Player })
	was := len(entries) < length
	entries = append(entries, e)
	b.Sort(entries)
	page.Total = max(page.Total, players)
	if page.More {
		if last := len(entries) - 1; entries[last].Player == e.Player && was {
			w.byBoard.Remove(b.Key) // players outside the top may now be before this one
			return
		}
		entries = entries[:length:length]
	} else {
		page.Total = int64(len(entries))
		if len(entries) > WindowSize {
			entries, page.More = entries[:WindowSize:WindowSize], true
		}
	}
	b.RankAmongThemselves(entries)
	page.Entries = entries
	held.page, held.named = page, 0
	w.byBoard.Add(b.Key, held)
}

// Follow is called after an improvement that named no group. It puts the player's present entry
// into those tops of the day's groups that have the player.
func (w *Windows) Follow(day game.Board, e game.Entry) {
	prefix := day.Key + ":" + game.Group.String() + ":"
	var groups []game.Board
	w.mu.Lock()
	for _, key := range w.byBoard.Keys() {
		if held, ok := w.byBoard.Peek(key); ok && strings.HasPrefix(key, prefix) &&
			slices.ContainsFunc(held.page.Entries, func(other game.Entry) bool { return other.Player == e.Player }) {
			groups = append(groups, held.page.Board)
		}
	}
	w.mu.Unlock()
	for _, b := range groups {
		w.Put(b, e, 0)
	}
}

// Outdate is called when a board may have changed, as after a refresh: its top is shown only
// while Redis refuses.
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

// Forget is called after a write for which Put is not called. Entries that were removed from
// the board are not shown again, not even while Redis refuses.
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
