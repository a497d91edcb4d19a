package board

import (
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/framedle/leaderboards/upstash"
)

// While Redis refuses, reads are answered as they were last answered here. The
// top of a board is in windows anyway; pages below it, surroundings and cards
// are kept beside, for the boards that were read last: some 10 MB at the most.
const (
	recallBoards = 32
	recallRuns   = 8   // of each board, up to 200 entries of some 150 bytes
	recallCards  = 512 // of each board
)

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

// Refused reports whether Redis cannot be reached, or refuses for now.
func Refused(err error) bool {
	switch upstash.KindOf(err) {
	case upstash.KindUnavailable, upstash.KindThrottled, upstash.KindQuota:
		return true
	}
	return false
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

// recallRun answers a run as it was answered last, where Redis has refused it.
func (s *Store) recallRun(b Board, id runID, err error) (Page, error) {
	if !Refused(err) {
		return Page{}, err
	}
	page, ok := s.windows.run(b.Key, id)
	if id == (runID{size: id.size}) { // the top
		if page, _, ok = s.windows.top(b.Key, id.size, anyAge); ok {
			page.Entries = slices.Clone(page.Entries)
			if !b.ofTeams() {
				s.nameFromMemory(page.Entries)
			}
			page = s.withNext(page)
		}
	}
	if !ok {
		return Page{}, err
	}
	page.Stale, page.Closed = err, s.game.Closed(b.Period, s.now())
	return page, nil
}

// recallCard is the same for a card.
func (s *Store) recallCard(b Board, player string, err error) (Standing, error) {
	card, ok := s.windows.card(b.Key, player)
	if !ok || !Refused(err) {
		return Standing{}, err
	}
	card.Stale = err
	return card, nil
}

// nameFromMemory fills in what was last known of players, however long since.
func (s *Store) nameFromMemory(entries []Entry) {
	for i, e := range entries {
		if known, ok := s.directory.stored(e.Player); ok {
			entries[i].Profile = known.profile().shown()
		}
	}
}
