package derive

import (
	"slices"
	"sync"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// This file has what a process remembers of boards: how many players each has, its top,
// the last answers, and places of players. All of it may be lost at any moment. It saves commands
// and never decides an answer that has to be exact.

// How many boards and players a process remembers: a few MB together at most. Profiles have a
// bound of their own.
const (
	RememberBoards  = 4096
	RememberPlayers = 16384
)

// Places remembers entries that this process wrote or read, as they were.
type Places = lru.Cache[EntryID, redis.Place]

// EntryID is a player's entry on a board, by the board's key.
type EntryID struct{ Board, Player string }

func NewPlaces() *Places { return lru.New[EntryID, redis.Place](RememberPlayers) }

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

// Ask queues the count of a board's players unless a fresh one is remembered.
func (t *Totals) Ask(p *redis.Pipeline, board string, n *int64) {
	if players, ok := t.Fresh(board); ok {
		*n = players
		return
	}
	p.Add(upstash.Cmd("ZCARD", board), func(r upstash.Reply) error {
		if err := redis.IntInto(n)(r); err != nil {
			return err
		}
		t.Set(board, *n)
		return nil
	})
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

// While Redis refuses, a process answers reads as it last answered them. It has the tops of
// boards in any case. Of the boards that were read last it also keeps pages below the top,
// surroundings and cards: some 10 MB at most.
const (
	recallBoards = 32
	recallRuns   = 8   // of each board, up to 200 entries of some 150 bytes
	recallCards  = 512 // of each board
)

// recalled are the last answers about one board.
type recalled struct {
	runs  *lru.Cache[RunID, game.Page]
	cards *lru.Cache[string, game.Standing]
}

// RunID names a run of a board: a page by its beginning, surroundings by their player.
type RunID struct {
	Cursor, Player string
	Offset, Size   int64
}

// readMark is taken before a read whose result may be kept.
type readMark struct{ board, all uint64 }

func (w *Windows) Mark(board string) readMark {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, _ := w.forgotten.Get(board)
	return readMark{n, w.purged}
}

// recallable are the kept answers about a board; nil if the board was forgotten since the mark.
// The caller holds w.mu.
func (w *Windows) recallable(board string, since readMark) *recalled {
	if n, _ := w.forgotten.Get(board); n != since.board || w.purged != since.all {
		return nil
	}
	held, ok := w.answers.Get(board)
	if !ok {
		held = &recalled{runs: lru.New[RunID, game.Page](recallRuns), cards: lru.New[string, game.Standing](recallCards)}
		w.answers.Add(board, held)
	}
	return held
}

func (w *Windows) KeepRun(board string, since readMark, id RunID, page game.Page) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if held := w.recallable(board, since); held != nil {
		held.runs.Add(id, page)
	}
}

func (w *Windows) KeepCard(board string, since readMark, card game.Standing) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if held := w.recallable(board, since); held != nil {
		held.cards.Add(card.Player, card)
	}
}

func (w *Windows) Run(board string, id RunID) (page game.Page, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if held, known := w.answers.Get(board); known {
		page, ok = held.runs.Get(id)
	}
	return page, ok
}

func (w *Windows) Card(board, player string) (card game.Standing, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if held, known := w.answers.Get(board); known {
		card, ok = held.cards.Get(player)
	}
	return card, ok
}
