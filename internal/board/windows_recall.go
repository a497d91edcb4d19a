package board

import lru "github.com/hashicorp/golang-lru/v2"

// recalled is what was last answered of one board.
type recalled struct {
	runs  *lru.Cache[runID, Page]
	cards *lru.Cache[string, Standing]
}

// runID tells a board's runs apart: pages by where they begin, surroundings by
// whose they are.
type runID struct {
	cursor, player string
	offset, size   int64
}

// readMark is taken before a read whose result may be recalled later.
type readMark struct{ board, all uint64 }

func (w *windows) mark(board string) readMark {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, _ := w.forgotten.Get(board)
	return readMark{n, w.purged}
}

// recallable is the board's memory, unless the board has been forgotten since
// the mark. It is called with the lock held.
func (w *windows) recallable(board string, since readMark) *recalled {
	if n, _ := w.forgotten.Get(board); n != since.board || w.purged != since.all {
		return nil
	}
	held, ok := w.answers.Get(board)
	if !ok {
		held = &recalled{newLRU[runID, Page](recallRuns), newLRU[string, Standing](recallCards)}
		w.answers.Add(board, held)
	}
	return held
}

func (w *windows) keepRun(board string, since readMark, id runID, page Page) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if held := w.recallable(board, since); held != nil {
		held.runs.Add(id, page)
	}
}

func (w *windows) keepCard(board string, since readMark, card Standing) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if held := w.recallable(board, since); held != nil {
		held.cards.Add(card.Player, card)
	}
}

func (w *windows) run(board string, id runID) (page Page, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if held, known := w.answers.Get(board); known {
		page, ok = held.runs.Get(id)
	}
	return page, ok
}

func (w *windows) card(board, player string) (card Standing, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if held, known := w.answers.Get(board); known {
		card, ok = held.cards.Get(player)
	}
	return card, ok
}
