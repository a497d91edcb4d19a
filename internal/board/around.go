package board

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/upstash"
)

// aroundTries is how often a window is read again when its player has moved
// out of it between the two round trips.
const aroundTries = 3

// Around reads the player's surroundings: reach entries above and below, moved
// up or down at the ends of the board so that the window is full when the
// board has as many.
//
// Cost: 2 billed commands in 2 round trips; one more for an unknown or stale
// total, one more for names this process has not seen.
func (s *Store) Around(ctx context.Context, b Board, player string, reach int64) (Page, error) {
	if err := s.refresh(ctx, b); err != nil {
		return Page{}, err
	}
	for range aroundTries {
		page := s.newPage(b)
		var at place
		var p pipeline
		p.add(upstash.Cmd(b.rankCommand(), b.Key, player, "WITHSCORE"), placeInto(&at))
		s.askTotal(&p, b, &page.Total)
		if _, err := p.run(ctx, s.redis); err != nil {
			return Page{}, wrap("find the player", err)
		}
		if !at.found {
			return Page{}, ErrNotOnBoard
		}
		found, err := s.windowAround(ctx, b, player, at.position, reach, &page)
		if err != nil {
			return Page{}, err
		}
		if !found {
			continue
		}
		if err := s.rank(ctx, b, page.Entries, page.position); err != nil {
			return Page{}, err
		}
		return page, s.name(ctx, page.Entries)
	}
	return Page{}, ErrVanished
}

// windowAround reads twice as far as asked and cuts out the window around the
// place where the player stands by then.
func (s *Store) windowAround(ctx context.Context, b Board, player string, position, reach int64, page *Page) (found bool, err error) {
	first := max(0, position-2*reach)
	last := position + 2*reach
	var near []Entry
	var p pipeline
	p.add(b.rangeCommand(first, last), entriesInto(b, &near))
	if _, err := p.run(ctx, s.redis); err != nil {
		return false, wrap("read around the player", err)
	}
	at := int64(-1)
	for i, e := range near {
		if e.Player == player {
			at = int64(i)
			break
		}
	}
	if at < 0 {
		return false, nil
	}
	end := first + int64(len(near))
	if end <= last { // the read came to the board's end: this is the total
		page.Total = end
		s.totals.set(b.Key, end)
	}
	from := max(0, min(first+at-reach, end-(2*reach+1)), first)
	to := min(from+2*reach+1, end)
	page.position = from
	page.Entries = near[from-first : to-first]
	page.Total = max(page.Total, to)
	return true, nil
}

// Standing is where one player stands on a board, and stood the period before.
type Standing struct {
	Entry
	Total        int64
	PreviousRank int64 // 0: not on the board of the period before
	Details      []byte
}

// Card reads one player's standing.
//
// Cost: 1 billed command in 1 round trip, one more for the period before, one
// for details, one for an unknown or stale total, one for an unknown name;
// shared ranks need one more for each rank.
func (s *Store) Card(ctx context.Context, b Board, player string) (Standing, error) {
	if err := s.refresh(ctx, b); err != nil {
		return Standing{}, err
	}
	card := Standing{Entry: Entry{Player: player}}
	var now, before place
	var details string
	var p pipeline
	p.add(upstash.Cmd(b.rankCommand(), b.Key, player, "WITHSCORE"), placeInto(&now))
	earlier, hasEarlier := b.Period.Previous()
	previous := s.Board(b.Mode, earlier, b.Scope)
	if hasEarlier {
		p.add(upstash.Cmd(b.rankCommand(), previous.Key, player, "WITHSCORE"), placeInto(&before))
	}
	if b.Mode.Details && b.Period.Kind() == game.Day {
		key := game.DetailsKey(b.Mode.Name, b.Period.First())
		p.add(upstash.Cmd("HGET", key, player), func(r upstash.Reply) (err error) {
			if !r.IsNil() {
				details, err = r.Text()
			}
			return err
		})
	}
	s.askTotal(&p, b, &card.Total)
	if _, err := p.run(ctx, s.redis); err != nil {
		return Standing{}, wrap("read the standing", err)
	}
	if !now.found {
		return Standing{}, ErrNotOnBoard
	}
	card.stored, card.Score = now.stored, b.Mode.Decode(now.stored)
	card.Rank = now.position + 1
	if before.found {
		card.PreviousRank = before.position + 1
	}
	card.Details = detailsOf(details, card.Score)
	if err := s.shareRanks(ctx, b, previous, before, &card); err != nil {
		return Standing{}, err
	}
	card.Total = max(card.Total, now.position+1)
	named := []Entry{card.Entry}
	err := s.name(ctx, named)
	card.Entry = named[0]
	return card, err
}

// shareRanks replaces positions by shared ranks where the mode ranks so.
func (s *Store) shareRanks(ctx context.Context, b, previous Board, before place, card *Standing) error {
	if b.Mode.Ties == game.Earliest {
		return nil
	}
	var ahead, aheadBefore int64
	var p pipeline
	p.add(b.aheadCommand(card.Score), intInto(&ahead))
	if before.found {
		p.add(previous.aheadCommand(b.Mode.Decode(before.stored)), intInto(&aheadBefore))
	}
	if _, err := p.run(ctx, s.redis); err != nil {
		return wrap("rank the standing", err)
	}
	card.Rank = ahead + 1
	if before.found {
		card.PreviousRank = aheadBefore + 1
	}
	return nil
}

// Lookup reads many players and ranks them among themselves; those without an
// entry are left out. 1 billed command in 1 round trip, one more for names this
// process has not seen.
func (s *Store) Lookup(ctx context.Context, b Board, players []string) ([]Entry, error) {
	if len(players) == 0 {
		return nil, nil
	}
	if err := s.refresh(ctx, b); err != nil {
		return nil, err
	}
	var found []Entry
	var p pipeline
	p.add(scoresCommand(b, players), foundInto(b, players, &found))
	if _, err := p.run(ctx, s.redis); err != nil {
		return nil, wrap("look players up", err)
	}
	return found, s.name(ctx, found)
}
