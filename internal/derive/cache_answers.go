package derive

import (
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lru"
)

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
