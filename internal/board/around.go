package board

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// aroundTries is how often a window is read again when its player has moved
// out of it between the two round trips.
const aroundTries = 3

// drift is how far a player may have moved since this process last saw where.
const drift = 50

// Around reads the player's surroundings: reach entries above and below, moved
// up or down at the ends of the board so that the window is full when the
// board has as many.
//
// Cost: 1 billed command in 1 round trip for a board of up to 1,000 players and
// for a player this process has just seen about there, else 2 in 2; one more for
// an unknown or stale total, one more for names this process has not seen. While
// Redis refuses, they are those that this process answered last.
func (s *Store) Around(ctx context.Context, b Board, player string, reach int64) (Page, error) {
	id := runID{player: player, size: reach}
	since := s.windows.mark(b.Key)
	page, err := s.around(ctx, b, player, reach)
	if err != nil {
		return s.recallRun(b, id, err)
	}
	s.windows.keepRun(b.Key, since, id, page)
	return page, nil
}

func (s *Store) around(ctx context.Context, b Board, player string, reach int64) (Page, error) {
	if err := s.refreshOwn(ctx, b, player); err != nil {
		return Page{}, err
	}
	page := s.newPage(b)
	found, err := s.guessAround(ctx, b, player, reach, &page)
	for tries := 0; err == nil && !found; tries++ {
		if tries == aroundTries {
			return Page{}, ErrVanished
		}
		found, err = s.findAround(ctx, b, player, reach, &page)
	}
	if err != nil {
		return Page{}, err
	}
	if _, err := s.rank(ctx, &page); err != nil {
		return Page{}, err
	}
	return page, s.nameOn(ctx, b, page.Entries, true)
}

// guessAround reads where the player must be, or is likely to be.
func (s *Store) guessAround(ctx context.Context, b Board, player string, reach int64, page *Page) (found bool, err error) {
	around := reading{first: 0, last: smallBoard, reach: reach}
	if players, known := s.totals.last(b.Key); !known || players > smallBoard {
		was, ok := s.standing.Get(entryID{b.Key, player})
		if !ok {
			return false, nil
		}
		around.first, around.last = max(0, was.position-reach-drift), was.position+reach+drift
		around.total = true
	}
	return s.readAround(ctx, b, player, around, page)
}

// findAround asks for the player's position, and reads further around it than
// asked, since the player may move between the two round trips.
func (s *Store) findAround(ctx context.Context, b Board, player string, reach int64, page *Page) (found bool, err error) {
	var at place
	var p pipeline
	p.add(upstash.Cmd(rankCommand(b), b.Key, player, "WITHSCORE"), placeInto(&at))
	s.askTotal(&p, b, &page.Total)
	if _, err := p.run(ctx, s.redis); err != nil {
		return false, wrap("find the player", err)
	}
	if !at.found {
		return false, ErrNotOnBoard
	}
	s.standing.Add(entryID{b.Key, player}, at)
	around := reading{first: max(0, at.position-reach-drift), last: at.position + reach + drift, reach: reach}
	return s.readAround(ctx, b, player, around, page)
}

// reading is a run of positions that a player is looked for in.
type reading struct {
	first, last, reach int64
	total              bool // whether the total is asked for, if it is not fresh
}

// readAround reads a run and cuts out the window around the player. It reports
// false where the player is not in it, or too near its end.
func (s *Store) readAround(ctx context.Context, b Board, player string, r reading, page *Page) (found bool, err error) {
	var near []Entry
	var p pipeline
	p.add(rangeCommand(b, r.first, r.last), entriesInto(b, &near))
	if r.total {
		s.askTotal(&p, b, &page.Total)
	}
	if _, err := p.run(ctx, s.redis); err != nil {
		return false, wrap("read around the player", err)
	}
	end := r.first + int64(len(near))
	whole := end <= r.last && (len(near) > 0 || r.first == 0) // to the board's end
	if whole {
		page.Total = end
		s.totals.set(b.Key, end)
	}
	at := int64(slices.IndexFunc(near, func(e Entry) bool { return e.Player == player }))
	if at < 0 {
		if whole && r.first == 0 {
			return false, ErrNotOnBoard
		}
		return false, nil
	}
	position := r.first + at
	if !whole && position+r.reach >= end || r.first > 0 && position-r.reach < r.first {
		return false, nil
	}
	s.standing.Add(entryID{b.Key, player}, place{position, near[at].stored, true})
	from := max(0, min(position-r.reach, end-(2*r.reach+1)))
	if from < r.first { // the board ends nearer than the run began
		return false, nil
	}
	to := min(from+2*r.reach+1, end)
	page.position = from
	page.before, page.Entries = near[:from-r.first], near[from-r.first:to-r.first]
	page.Total = max(page.Total, to)
	return true, nil
}

// Card reads one player's standing.
//
// Cost: 1 billed command in 1 round trip, one more for the period before, one
// for details, one for an unknown or stale total, one for an unknown name;
// shared ranks need one more for each rank. A derived board that is due costs
// its refresh besides, the one of the period before too: that is over, and due
// every 10 minutes at most. The budget's measures may leave out
// the period before and the details. While Redis refuses, the card is the one
// that this process answered last.
func (s *Store) Card(ctx context.Context, b Board, player string) (Standing, error) {
	since := s.windows.mark(b.Key)
	card, err := s.card(ctx, b, player)
	if err != nil {
		return s.recallCard(b, player, err)
	}
	s.windows.keepCard(b.Key, since, card)
	return card, nil
}

func (s *Store) card(ctx context.Context, b Board, player string) (Standing, error) {
	if err := s.refreshOwn(ctx, b, player); err != nil {
		return Standing{}, err
	}
	card := Standing{Entry: Entry{Player: player}, UpdatedAt: s.now()}
	var now, before place
	var details string
	var p pipeline
	p.add(upstash.Cmd(rankCommand(b), b.Key, player, "WITHSCORE"), placeInto(&now))
	whole := !s.frugal().Features
	earlier, hasEarlier := b.Period.Previous()
	hasEarlier = hasEarlier && whole
	previous := BoardOf(b.Mode, earlier, b.Scope)
	if hasEarlier { // nobody may have looked at it since it last changed
		if err := s.refresh(ctx, previous); err != nil {
			return Standing{}, err
		}
	}
	if hasEarlier {
		p.add(upstash.Cmd(rankCommand(b), previous.Key, player, "WITHSCORE"), placeInto(&before))
	}
	if whole && b.hasDetails() {
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
	card.Details = detailsOf(details, b.Mode, now.stored)
	if err := s.shareRanks(ctx, b, previous, before, &card); err != nil {
		return Standing{}, err
	}
	card.Total = max(card.Total, now.position+1)
	named := []Entry{card.Entry}
	err := s.nameOn(ctx, b, named, false)
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
	p.add(aheadCommand(b, card.Score), intInto(&ahead))
	if before.found {
		p.add(aheadCommand(previous, b.Mode.Decode(before.stored)), intInto(&aheadBefore))
	}
	if _, err := p.run(ctx, s.redis); err != nil {
		return wrap("rank the standing", err)
	}
	// Who has come in since the position was read is not counted, so that no
	// rank exceeds a position, nor the total.
	card.Rank = min(card.Rank, ahead+1)
	if before.found {
		card.PreviousRank = min(card.PreviousRank, aheadBefore+1)
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
	return found, s.nameOn(ctx, b, found, false)
}
