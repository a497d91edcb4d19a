package leaderboard

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Current reads the tops of boards from Redis, even if this process remembers them: it serves
// viewers who were notified of a change, so memory is out of date.
type Current struct{ Boards *Store }

// Top reads the first entries of a board with names, and its total. Last is the total that the
// caller has read before, 0 for none. If the board has more players than are read, Top returns
// last again, unless count asks it to count the board.
//
// Cost: 1 billed command in 1 round trip. 1 more in the same round trip for the total, if the
// board had more players than are read and is counted; for names that this process has not seen
// as in [Store.Page]. A derived board that is due costs its refresh besides.
func (c Current) Top(ctx context.Context, b game.Board, limit, last int64, count bool) (game.Page, error) {
	s := c.Boards
	in, err := s.ready(ctx, b)
	if err != nil {
		return game.Page{}, err
	}
	mark, page := s.Windows.Begin(b.Key), s.pages.newPage(b)
	if in != nil {
		err = in.read(ctx, game.PageRequest{Limit: limit}, nil, &page)
	} else {
		err = c.read(ctx, limit, last, count, &page)
	}
	if err == nil {
		err = nameOn(ctx, s.Players, b, page.Entries)
	}
	if err != nil {
		return game.Page{}, redis.Wrap("read a board", err)
	}
	s.Windows.Keep(b.Key, mark, page)
	return page, nil
}

// read reads one entry more than the limit, to rank and cut, and the total if the entries do not
// show it. Last is the total that was read before.
func (c Current) read(ctx context.Context, limit, last int64, count bool, page *game.Page) error {
	b := page.Board
	if last <= limit {
		last = 0
	}
	total := func(p *redis.Pipeline) { p.Add(upstash.Cmd("ZCARD", b.Key), redis.IntInto(&page.Total)) }
	var p redis.Pipeline
	p.Add(redis.RangeCommand(b, 0, limit), redis.EntriesInto(b, &page.Entries))
	page.Total = last
	if last > 0 && count {
		total(&p)
	}
	if _, err := p.Run(ctx, c.Boards.DB.Redis); err != nil {
		return err
	}
	switch read := int64(len(page.Entries)); {
	case read <= limit:
		page.Total = read
	case last == 0: // it has outgrown the limit, and was not counted yet
		var p redis.Pipeline
		total(&p)
		if _, err := p.Run(ctx, c.Boards.DB.Redis); err != nil {
			return err
		}
	}
	page.Total = max(page.Total, int64(len(page.Entries)))
	page.Cut(limit)
	if count {
		c.Boards.Totals.Set(b.Key, page.Total)
	}
	return c.Boards.pages.rank(ctx, page)
}

// Count counts the players of a board now. Cost: 1 billed command.
func (c Current) Count(ctx context.Context, b game.Board) (int64, error) {
	var total int64
	if err := c.Boards.DB.Ask(ctx, upstash.Cmd("ZCARD", b.Key), redis.IntInto(&total)); err != nil {
		return 0, redis.Wrap("count a board", err)
	}
	c.Boards.Totals.Set(b.Key, total)
	return total, nil
}

// Every is the least time between two refreshes of a derived board; 0 for a board that is
// written directly.
func (c Current) Every(b game.Board) time.Duration {
	if !b.Derived() {
		return 0
	}
	return c.Boards.Rollup.Every(b)
}
