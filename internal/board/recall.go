package board

import (
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/memory"
	"github.com/framedle/leaderboards/upstash"
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
func (s *Store) recallRun(b game.Board, id memory.RunID, err error) (game.Page, error) {
	if !Refused(err) {
		return game.Page{}, err
	}
	page, ok := s.Windows.Run(b.Key, id)
	if id == (memory.RunID{Size: id.Size}) { // the top
		if page, _, ok = s.Windows.Top(b.Key, id.Size, memory.AnyAge); ok {
			page.Entries = slices.Clone(page.Entries)
			if !b.OfTeams() {
				s.nameFromMemory(page.Entries)
			}
			page = s.withNext(page)
		}
	}
	if !ok {
		return game.Page{}, err
	}
	page.Stale, page.Closed = err, s.DB.Game.Closed(b.Period, s.DB.Now())
	return page, nil
}

// recallCard is the same for a card.
func (s *Store) recallCard(b game.Board, player string, err error) (game.Standing, error) {
	card, ok := s.Windows.Card(b.Key, player)
	if !ok || !Refused(err) {
		return game.Standing{}, err
	}
	card.Stale = err
	return card, nil
}

// nameFromMemory fills in what was last known of players, however long since.
func (s *Store) nameFromMemory(entries []game.Entry) {
	for i, e := range entries {
		if known, ok := s.Players.Directory.Stored(e.Player); ok {
			entries[i].Profile = known.Profile().Shown()
		}
	}
}
