package board

import (
	"slices"

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

// Refused reports whether Redis cannot be reached, or refuses for now.
func Refused(err error) bool {
	switch upstash.KindOf(err) {
	case upstash.KindUnavailable, upstash.KindThrottled, upstash.KindQuota:
		return true
	}
	return false
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
