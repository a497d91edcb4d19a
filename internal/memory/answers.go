package memory

import (
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
)

// While Redis refuses, reads are answered as they were last answered here. Windows has the
// tops of boards anyway. For the boards that were read last, pages below the top, surroundings
// and cards are kept too: some 10 MB at the most. So are the ranks of boards whose period is
// over: at 10,000 players of some 80 bytes each, 25 MB at the most.
const (
	recallBoards = 32
	recallRuns   = 8   // of each board, up to 200 entries of some 150 bytes
	recallCards  = 512 // of each board
)

// recalled is what was last answered of one board.
type recalled struct {
	runs  *lru.Cache[RunID, game.Page]
	cards *lru.Cache[string, game.Standing]

	ranks   map[string]int64 // of everybody on the board, where it was read whole
	ranksAt time.Duration
}

// RunID names a run of a board: a page by where it begins, surroundings by their player.
type RunID struct {
	Cursor, Player string
	Offset, Size   int64
}

// readMark is taken before a read whose result may be recalled later.
type readMark struct{ board, all uint64 }

func (w *Windows) Mark(board string) readMark {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, _ := w.forgotten.Get(board)
	return readMark{n, w.purged}
}

// recallable is what is kept of the board's answers; nil if the board was forgotten since the
// mark. It is called with the lock held.
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

// KeepRanks holds the ranks of a board that was read whole.
func (w *Windows) KeepRanks(board string, since readMark, whole []game.Entry) {
	ranks := make(map[string]int64, len(whole))
	for _, e := range whole {
		ranks[e.Player] = e.Rank
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if held := w.recallable(board, since); held != nil {
		held.ranks, held.ranksAt = ranks, w.elapsed()
	}
}

// Rank is a player's rank on a board that was read whole at most maxAge ago. It is 0 for a
// player who was not on the board at most absentAge ago; after that the player may be on it.
// Found is false where neither is known. Held reports whether other players' ranks are known.
func (w *Windows) Rank(board, player string, maxAge, absentAge time.Duration) (rank int64, found, held bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	of, known := w.answers.Get(board)
	if !known || of.ranks == nil {
		return 0, false, false
	}
	age := w.elapsed() - of.ranksAt
	rank, on := of.ranks[player]
	held = age < maxAge
	return rank, on && held || !on && age < absentAge, held
}
