package leaderboard

import (
	"context"
	"errors"

	"github.com/framedle/leaderboards/internal/bands"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// inBands reads a board that is kept in bands. A rank is exact within the player's band; the
// better bands count as they were at the time that the answer names.
type inBands struct {
	*derive.InBands
	s *Store
	b game.Board
}

// bandsOf is a board that is kept in bands; nil if it is one sorted set.
func (s *Store) bandsOf(ctx context.Context, b game.Board) (*inBands, error) {
	in, err := s.Rollup.Banded.InBands(ctx, b)
	if err != nil || in == nil {
		return nil, err
	}
	return &inBands{in, s, b}, nil
}

// ready refreshes a board if it is due. If it is kept in bands it is returned, and nil if it is one
// sorted set.
func (s *Store) ready(ctx context.Context, b game.Board) (*inBands, error) {
	if err := s.Rollup.Refresh(ctx, b); err != nil {
		return nil, err
	}
	return s.bandsOf(ctx, b)
}

// read reads a run, by its offset or behind the last entry of the page before, without names.
//
// Cost: 1 billed command in 1 round trip for each band that the run touches, 2 behind a cursor.
func (in *inBands) read(ctx context.Context, r game.PageRequest, last *cursor, page *game.Page) error {
	var run bands.Run
	var err error
	if last != nil {
		run, err = in.After(ctx, in.Board, bands.Entry{Player: last.player, Stored: last.stored}, r.Limit)
	} else {
		run, err = in.Page(ctx, in.Board, r.Offset, r.Limit)
	}
	if err == nil {
		in.fill(page, run)
	}
	return err
}

// fill fills a page with a run.
func (in *inBands) fill(page *game.Page, run bands.Run) {
	page.Position, page.Total, page.More, page.CountsAt = run.Position, run.Total, run.More, run.Counted
	page.Entries = make([]game.Entry, len(run.Entries))
	for i, e := range run.Entries {
		page.Entries[i] = in.entry(e, run.Position+int64(i)+1)
	}
}

func (in *inBands) entry(e bands.Entry, rank int64) game.Entry {
	return game.Entry{Rank: rank, Player: e.Player, Stored: e.Stored, Score: in.b.Mode.Decode(e.Stored)}
}

// ownPlace is the player's entry, brought up to date with the days.
func (in *inBands) ownPlace(ctx context.Context, player string) (redis.Place, error) {
	known, _ := in.s.Places.Get(derive.EntryID{Board: in.b.Key, Player: player})
	at, err := in.OwnPlace(ctx, player, known)
	if err == nil && !at.Found {
		err = ErrNotOnBoard
	}
	return at, err
}

// card reads one player's standing.
//
// Cost: that of [derive.InBands.OwnPlace] and 1 billed command for the rank; 1 for each better band
// if the rank is to be exact, and 1 for an unknown name.
func (in *inBands) card(ctx context.Context, player string, exact bool) (game.Standing, error) {
	at, err := in.ownPlace(ctx, player)
	if err != nil {
		return game.Standing{Entry: game.Entry{Player: player}, UpdatedAt: in.s.DB.Now()}, err
	}
	current, err := in.Rank(ctx, in.Board, player, at, exact)
	if err != nil {
		return game.Standing{}, noEntry(err)
	}
	in.s.Places.Add(derive.EntryID{Board: in.b.Key, Player: player}, redis.Place{Stored: current.Stored, Position: current.Rank - 1, Found: true})
	named := []game.Entry{in.entry(bands.Entry{Player: player, Stored: current.Stored}, current.Rank)}
	err = nameOn(ctx, in.s.Players, in.b, named)
	return game.Standing{Entry: named[0], Total: current.Total, UpdatedAt: in.s.DB.Now(), CountsAt: current.Counted}, err
}

func noEntry(err error) error {
	if errors.Is(err, bands.ErrNotOnBoard) {
		return ErrNotOnBoard
	}
	return err
}

// around reads the window around a player; at an end of the board it reads a page of the same
// size.
func (in *inBands) around(ctx context.Context, player string, reach int64) (game.Page, error) {
	at, err := in.ownPlace(ctx, player)
	if err != nil {
		return game.Page{}, err
	}
	run, current, err := in.Around(ctx, in.Board, player, at, reach)
	if err != nil {
		return game.Page{}, noEntry(err)
	}
	if wide := 2*reach + 1; int64(len(run.Entries)) < min(wide, run.Total) {
		whole, err := in.Page(ctx, in.Board, max(0, min(current.Rank-1-reach, run.Total-wide)), wide)
		if err != nil {
			return game.Page{}, err
		}
		for _, e := range whole.Entries {
			if e.Player == player { // the player has not moved out of it meanwhile
				run = whole
			}
		}
	}
	page := in.s.pages.newPage(in.b)
	in.fill(&page, run)
	return page, nameOn(ctx, in.s.Players, in.b, page.Entries)
}

// lookup ranks players among themselves.
//
// Cost: 1 billed command for each home that is asked, 32 at most, in 1 round trip.
func (in *inBands) lookup(ctx context.Context, players []string) ([]game.Entry, error) {
	at, err := in.Scores(ctx, in.Board, players)
	if err != nil {
		return nil, err
	}
	found := []game.Entry{}
	for i, e := range at {
		if e.Found {
			found = append(found, in.entry(bands.Entry{Player: players[i], Stored: e.Stored}, 0))
		}
	}
	in.b.Sort(found)
	in.b.RankAmongThemselves(found)
	return found, nameOn(ctx, in.s.Players, in.b, found)
}

// friends ranks a player and the player's friends among themselves. Reading who the friends
// are costs 1 billed command.
func (in *inBands) friends(ctx context.Context, player string) ([]game.Entry, error) {
	if _, err := in.ownPlace(ctx, player); err != nil && !errors.Is(err, ErrNotOnBoard) {
		return nil, err
	}
	reply, err := in.s.DB.Redis.Do(ctx, upstash.Cmd("ZRANGE", game.FriendsKey(player), "0", "-1"))
	if err != nil {
		return nil, redis.Wrap("look friends up", err)
	}
	players, err := reply.Strings()
	if err != nil {
		return nil, err
	}
	if len(players) == 0 { // a player without friends has no list
		players = []string{player}
	}
	return in.lookup(ctx, players)
}
