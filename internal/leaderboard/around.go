package leaderboard

import (
	"context"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// aroundTries is how often a window is read again when its player has moved
// out of it between the two round trips.
const aroundTries = 3

// drift is how many positions a player may have moved since this process last saw them, and
// tripDrift how many between two round trips. If a player has moved further than tripDrift, the
// next try reads drift positions more on each side.
const (
	drift     = 50
	tripDrift = 10
)

// Around reads the window around the player: reach entries above and reach entries below. Near
// an end of the board the window moves towards the middle, so that it is full if the board has
// that many entries.
//
// On a derived board the window is as old as the board's last refresh, the player's own entry
// too; their card has every score.
//
// Cost: on a derived board that of [derive.Rollup.Refresh]. Besides, 1 billed command in 1 round
// trip if the board has up to 1,200 players or the player is near the place where this process
// has just seen them, else 2 in 2. 1 more for an unknown or stale total of a larger board, and 1
// for names that this process has not seen.
func (s *Store) Around(ctx context.Context, b game.Board, player string, reach int64) (game.Page, error) {
	return s.aroundSeen(ctx, b, player, reach, PlaceHint{})
}

// PlaceHint is what a caller already knows of a player's place on a board. The zero value is
// nothing.
type PlaceHint struct {
	Rank  int64        // a hint: free if the player is near it, else 1 billed command more
	Whole []game.Entry // the whole board as the player's write has read it, and is not read again; nil: it has not
}

// aroundSeen is Around for a caller that knows something of the player's place already.
func (s *Store) aroundSeen(ctx context.Context, b game.Board, player string, reach int64, seen PlaceHint) (game.Page, error) {
	if in, err := s.bandsOf(ctx, b); err != nil {
		return game.Page{}, err
	} else if in != nil {
		return in.around(ctx, player, reach)
	}
	if err := s.Rollup.Refresh(ctx, b); err != nil {
		return game.Page{}, err
	}
	a := &aroundRead{s: s, board: b, player: player, reach: reach, seen: seen, page: s.pages.newPage(b)}
	found, err := a.guess(ctx)
	for tries := 0; err == nil && !found; tries++ {
		if tries == aroundTries {
			return game.Page{}, redis.ErrVanished
		}
		moved := int64(tripDrift)
		if tries > 0 {
			moved = drift
		}
		found, err = a.find(ctx, moved)
	}
	if err != nil {
		return a.page, err
	}
	if err := s.pages.rank(ctx, &a.page); err != nil {
		return game.Page{}, err
	}
	return a.page, nameOn(ctx, s.Players, b, a.page.Entries)
}

// aroundRead is one call of Around.
type aroundRead struct {
	s      *Store
	board  game.Board
	player string
	reach  int64
	seen   PlaceHint
	page   game.Page
}

// guess looks for the player without asking for the position: on the board that the player's
// write has read whole, on the whole of a small board, or near the last known position.
func (a *aroundRead) guess(ctx context.Context) (found bool, err error) {
	if whole := a.seen.Whole; whole != nil {
		if found, err := a.cut(reading{last: int64(len(whole))}, whole); found || err != nil {
			return found, err
		}
	}
	if players, guessed := a.s.Totals.Likely(a.board.Key); guessed && players <= smallBoard {
		return a.read(ctx, reading{last: smallBoard})
	}
	position, ok := a.likely()
	if !ok {
		return false, nil
	}
	return a.read(ctx, reading{first: max(0, position-a.reach-drift), last: position + a.reach + drift, total: true})
}

// likely is the player's last known position: the one that the request names, since another
// process may have just written it; without one, the position that this process has seen.
func (a *aroundRead) likely() (position int64, ok bool) {
	if a.seen.Rank > 0 {
		return a.seen.Rank - 1, true
	}
	was, ok := a.s.Places.Get(derive.EntryID{Board: a.board.Key, Player: a.player})
	return was.Position, ok
}

// find asks for the player's position and then reads a run around it. The run is wider than
// the window, since the player may move between the two round trips.
func (a *aroundRead) find(ctx context.Context, moved int64) (found bool, err error) {
	var at redis.Place
	var p redis.Pipeline
	p.Add(upstash.Cmd(redis.RankCommand(a.board), a.board.Key, a.player, "WITHSCORE"), redis.PlaceInto(&at))
	a.s.Totals.Ask(&p, a.board.Key, &a.page.Total)
	if _, err := p.Run(ctx, a.s.DB.Redis); err != nil {
		return false, redis.Wrap("find the player", err)
	}
	if !at.Found {
		return false, ErrNotOnBoard
	}
	a.s.Places.Add(derive.EntryID{Board: a.board.Key, Player: a.player}, at)
	wide := a.reach + max(a.reach, moved) // at the board's end the window lies on one side
	return a.read(ctx, reading{first: max(0, at.Position-wide), last: at.Position + wide})
}

// reading is a run of positions to read.
type reading struct {
	first, last int64
	total       bool // whether to ask for the total if it is not fresh
}

// end is the position at which a run ended, and whether the board ends there.
func (r reading) end(run []game.Entry) (end int64, toEnd bool) {
	end = r.first + int64(len(run))
	return end, end <= r.last && (len(run) > 0 || r.first == 0)
}

// read reads a run and cuts the window around the player out of it, see cut.
func (a *aroundRead) read(ctx context.Context, r reading) (found bool, err error) {
	var near []game.Entry
	var p redis.Pipeline
	p.Add(redis.RangeCommand(a.board, r.first, r.last), redis.EntriesInto(a.board, &near))
	if r.total {
		a.s.Totals.Ask(&p, a.board.Key, &a.page.Total)
	}
	if _, err := p.Run(ctx, a.s.DB.Redis); err != nil {
		return false, redis.Wrap("read around the player", err)
	}
	end, toEnd := r.end(near)
	if toEnd {
		a.page.Total = end
		a.s.Totals.Set(a.board.Key, end)
	}
	return a.cut(r, near)
}

// cut cuts the window around the player out of a run. It reports false if the player is not in
// the run, or is too near an end of it.
func (a *aroundRead) cut(r reading, near []game.Entry) (found bool, err error) {
	end, whole := r.end(near)
	if whole {
		a.page.Total = end
	}
	at := placeIn(near, r.first, a.player)
	if !at.Found {
		if whole && r.first == 0 {
			err = ErrNotOnBoard
		}
		return false, err
	}
	position := at.Position
	if !whole && position+a.reach >= end || r.first > 0 && position-a.reach < r.first {
		return false, nil
	}
	a.s.Places.Add(derive.EntryID{Board: a.board.Key, Player: a.player}, at)
	from := max(0, min(position-a.reach, end-(2*a.reach+1)))
	if from < r.first { // the board ends nearer than the run began
		return false, nil
	}
	to := min(from+2*a.reach+1, end)
	a.page.Position = from
	a.page.Before, a.page.Entries = near[:from-r.first], near[from-r.first:to-r.first]
	a.page.Total = max(a.page.Total, to)
	return true, nil
}

// before finds the rank that a card's player had in the period before.
//
// Cost: 1 billed command in the card's round trip, and the refresh of a derived board that is
// due, at most once an hour.
type before struct {
	s      *Store
	board  game.Board // of the period before; the zero Board: nothing to ask
	player string
	at     redis.Place
}

// prepare gets the board before that of the card ready to be asked: nobody may have looked at
// it since it last changed.
func (f *before) prepare(ctx context.Context, of game.Board) error {
	earlier, ok := of.Period.Previous()
	if !ok {
		return nil
	}
	f.board = game.BoardOf(of.Mode, earlier, of.Scope)
	if f.isSpent() {
		return nil
	}
	return f.s.Rollup.Refresh(ctx, f.board)
}

// isSpent reports whether the board is to stay as cron-weekly made it: it is a week of all
// players, and its first day has expired. A refresh from the days that are left would lose a
// part of it.
func (f *before) isSpent() bool {
	b := f.board
	return b.Period.Kind() == game.Week && b.Scope == (game.Scope{}) && !f.s.DB.Alive(b.Period.First())
}

// ask queues the question.
func (f *before) ask(p *redis.Pipeline) {
	if f.board.Mode != nil {
		p.Add(upstash.Cmd(redis.RankCommand(f.board), f.board.Key, f.player, "WITHSCORE"), redis.PlaceInto(&f.at))
	}
}

// rank is the player's rank; 0: the player was not on the board. If ranks are shared it is only
// the position: shareRanks corrects it.
func (f *before) rank() int64 {
	if !f.at.Found {
		return 0
	}
	return f.at.Position + 1
}
