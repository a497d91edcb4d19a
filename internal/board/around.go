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
// an unknown or stale total, one more for names this process has not seen.
func (s *Store) Around(ctx context.Context, b game.Board, player string, reach int64) (game.Page, error) {
	if err := s.Rollup.RefreshOwn(ctx, b, player); err != nil {
		return game.Page{}, err
	}
	page := s.pages.newPage(b)
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
	if _, err := s.pages.rank(ctx, &page); err != nil {
		return game.Page{}, err
	}
	return page, nameOn(ctx, s.Players, b, page.Entries, true)
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
