package board

import (
	"context"
	"slices"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/memory"
	"github.com/framedle/leaderboards/internal/rdb"
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
func (s *Store) Around(ctx context.Context, b game.Board, player string, reach int64) (game.Page, error) {
	id := memory.RunID{Player: player, Size: reach}
	since := s.Windows.Mark(b.Key)
	page, err := s.around(ctx, b, player, reach)
	if err != nil {
		return s.recallRun(b, id, err)
	}
	s.Windows.KeepRun(b.Key, since, id, page)
	return page, nil
}

func (s *Store) around(ctx context.Context, b game.Board, player string, reach int64) (game.Page, error) {
	if err := s.Rollup.RefreshOwn(ctx, b, player); err != nil {
		return game.Page{}, err
	}
	page := s.newPage(b)
	found, err := s.guessAround(ctx, b, player, reach, &page)
	for tries := 0; err == nil && !found; tries++ {
		if tries == aroundTries {
			return game.Page{}, rdb.ErrVanished
		}
		found, err = s.findAround(ctx, b, player, reach, &page)
	}
	if err != nil {
		return game.Page{}, err
	}
	if _, err := s.rank(ctx, &page); err != nil {
		return game.Page{}, err
	}
	return page, s.nameOn(ctx, b, page.Entries, true)
}

// guessAround reads where the player must be, or is likely to be.
func (s *Store) guessAround(ctx context.Context, b game.Board, player string, reach int64, page *game.Page) (found bool, err error) {
	around := reading{first: 0, last: smallBoard, reach: reach}
	if players, known := s.Totals.Last(b.Key); !known || players > smallBoard {
		was, ok := s.Places.Get(memory.EntryID{Board: b.Key, Player: player})
		if !ok {
			return false, nil
		}
		around.first, around.last = max(0, was.Position-reach-drift), was.Position+reach+drift
		around.total = true
	}
	return s.readAround(ctx, b, player, around, page)
}

// findAround asks for the player's position, and reads further around it than
// asked, since the player may move between the two round trips.
func (s *Store) findAround(ctx context.Context, b game.Board, player string, reach int64, page *game.Page) (found bool, err error) {
	var at rdb.Place
	var p rdb.Pipeline
	p.Add(upstash.Cmd(rdb.RankCommand(b), b.Key, player, "WITHSCORE"), rdb.PlaceInto(&at))
	s.Rollup.AskTotal(&p, b, &page.Total)
	if _, err := p.Run(ctx, s.DB.Redis); err != nil {
		return false, rdb.Wrap("find the player", err)
	}
	if !at.Found {
		return false, ErrNotOnBoard
	}
	s.Places.Add(memory.EntryID{Board: b.Key, Player: player}, at)
	around := reading{first: max(0, at.Position-reach-drift), last: at.Position + reach + drift, reach: reach}
	return s.readAround(ctx, b, player, around, page)
}

// reading is a run of positions that a player is looked for in.
type reading struct {
	first, last, reach int64
	total              bool // whether the total is asked for, if it is not fresh
}

// readAround reads a run and cuts out the window around the player. It reports
// false where the player is not in it, or too near its end.
func (s *Store) readAround(ctx context.Context, b game.Board, player string, r reading, page *game.Page) (found bool, err error) {
	var near []game.Entry
	var p rdb.Pipeline
	p.Add(rdb.RangeCommand(b, r.first, r.last), rdb.EntriesInto(b, &near))
	if r.total {
		s.Rollup.AskTotal(&p, b, &page.Total)
	}
	if _, err := p.Run(ctx, s.DB.Redis); err != nil {
		return false, rdb.Wrap("read around the player", err)
	}
	end := r.first + int64(len(near))
	whole := end <= r.last && (len(near) > 0 || r.first == 0) // to the board's end
	if whole {
		page.Total = end
		s.Totals.Set(b.Key, end)
	}
	at := int64(slices.IndexFunc(near, func(e game.Entry) bool { return e.Player == player }))
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
	s.Places.Add(memory.EntryID{Board: b.Key, Player: player}, rdb.Place{Position: position, Stored: near[at].Stored, Found: true})
	from := max(0, min(position-r.reach, end-(2*r.reach+1)))
	if from < r.first { // the board ends nearer than the run began
		return false, nil
	}
	to := min(from+2*r.reach+1, end)
	page.Position = from
	page.Before, page.Entries = near[:from-r.first], near[from-r.first:to-r.first]
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
func (s *Store) Card(ctx context.Context, b game.Board, player string) (game.Standing, error) {
	since := s.Windows.Mark(b.Key)
	card, err := s.card(ctx, b, player)
	if err != nil {
		return s.recallCard(b, player, err)
	}
	s.Windows.KeepCard(b.Key, since, card)
	return card, nil
}

func (s *Store) card(ctx context.Context, b game.Board, player string) (game.Standing, error) {
	if err := s.Rollup.RefreshOwn(ctx, b, player); err != nil {
		return game.Standing{}, err
	}
	card := game.Standing{Entry: game.Entry{Player: player}, UpdatedAt: s.DB.Now()}
	var now, before rdb.Place
	var details string
	var p rdb.Pipeline
	p.Add(upstash.Cmd(rdb.RankCommand(b), b.Key, player, "WITHSCORE"), rdb.PlaceInto(&now))
	whole := !s.Rollup.Measures().Features
	earlier, hasEarlier := b.Period.Previous()
	hasEarlier = hasEarlier && whole
	previous := game.BoardOf(b.Mode, earlier, b.Scope)
	if hasEarlier { // nobody may have looked at it since it last changed
		if err := s.Rollup.Refresh(ctx, previous); err != nil {
			return game.Standing{}, err
		}
	}
	if hasEarlier {
		p.Add(upstash.Cmd(rdb.RankCommand(b), previous.Key, player, "WITHSCORE"), rdb.PlaceInto(&before))
	}
	if whole && b.HasDetails() {
		key := game.DetailsKey(b.Mode.Name, b.Period.First())
		p.Add(upstash.Cmd("HGET", key, player), func(r upstash.Reply) (err error) {
			if !r.IsNil() {
				details, err = r.Text()
			}
			return err
		})
	}
	s.Rollup.AskTotal(&p, b, &card.Total)
	if _, err := p.Run(ctx, s.DB.Redis); err != nil {
		return game.Standing{}, rdb.Wrap("read the standing", err)
	}
	if !now.Found {
		return game.Standing{}, ErrNotOnBoard
	}
	card.Stored, card.Score = now.Stored, b.Mode.Decode(now.Stored)
	card.Rank = now.Position + 1
	if before.Found {
		card.PreviousRank = before.Position + 1
	}
	card.Details = game.DetailsOf(details, b.Mode, now.Stored)
	if err := s.shareRanks(ctx, b, previous, before, &card); err != nil {
		return game.Standing{}, err
	}
	card.Total = max(card.Total, now.Position+1)
	named := []game.Entry{card.Entry}
	err := s.nameOn(ctx, b, named, false)
	card.Entry = named[0]
	return card, err
}

// shareRanks replaces positions by shared ranks where the mode ranks so.
func (s *Store) shareRanks(ctx context.Context, b, previous game.Board, before rdb.Place, card *game.Standing) error {
	if b.Mode.Ties == game.Earliest {
		return nil
	}
	var ahead, aheadBefore int64
	var p rdb.Pipeline
	p.Add(rdb.AheadCommand(b, card.Score), rdb.IntInto(&ahead))
	if before.Found {
		p.Add(rdb.AheadCommand(previous, b.Mode.Decode(before.Stored)), rdb.IntInto(&aheadBefore))
	}
	if _, err := p.Run(ctx, s.DB.Redis); err != nil {
		return rdb.Wrap("rank the standing", err)
	}
	// Who has come in since the position was read is not counted, so that no
	// rank exceeds a position, nor the total.
	card.Rank = min(card.Rank, ahead+1)
	if before.Found {
		card.PreviousRank = min(card.PreviousRank, aheadBefore+1)
	}
	return nil
}

// Lookup reads many players and ranks them among themselves; those without an
// entry are left out. 1 billed command in 1 round trip, one more for names this
// process has not seen.
func (s *Store) Lookup(ctx context.Context, b game.Board, players []string) ([]game.Entry, error) {
	if len(players) == 0 {
		return nil, nil
	}
	if err := s.Rollup.Refresh(ctx, b); err != nil {
		return nil, err
	}
	var found []game.Entry
	var p rdb.Pipeline
	p.Add(scoresCommand(b, players), foundInto(b, players, &found))
	if _, err := p.Run(ctx, s.DB.Redis); err != nil {
		return nil, rdb.Wrap("look players up", err)
	}
	return found, s.nameOn(ctx, b, found, false)
}
