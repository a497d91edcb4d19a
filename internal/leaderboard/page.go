package leaderboard

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/player"
	"github.com/framedle/leaderboards/internal/redis"
)

// Page reads a run of entries with names.
//
// Cost: 1 billed command in 1 round trip; one more for an unknown or stale total, and 1 in a
// second round trip for names that this process has not seen; nothing for the top of a board while
// it is in memory. A request spends at most 4, whatever its offset or cursor: up to 3 find the
// place of a cursor that others have moved. A derived board that is due costs its refresh besides.
//
// Errors: ErrCursor, ErrCursorLost.
func (s *Store) Page(ctx context.Context, b game.Board, r game.PageRequest) (game.Page, error) {
	if r.IsTop() {
		if page, ok := s.pages.top(b, r.Limit); ok {
			return s.cursors.withNext(page), nil
		}
	}
	last, err := s.cursors.open(b, r.Cursor)
	if err != nil {
		return game.Page{}, err
	}
	in, err := s.ready(ctx, b)
	if err != nil {
		return game.Page{}, err
	}
	mark, page := s.Windows.Begin(b.Key), s.pages.newPage(b)
	if in != nil {
		err = in.read(ctx, r, last, &page)
	} else {
		err = s.pages.read(ctx, r, last, &page)
	}
	if err == nil {
		err = nameOn(ctx, s.Players, b, page.Entries)
	}
	if err != nil {
		return game.Page{}, redis.Wrap("read a page", err)
	}
	if r.IsTop() {
		s.Windows.Keep(b.Key, mark, page)
	}
	return s.cursors.withNext(page), nil
}

// pages read runs of boards.
type pages struct {
	db      *redis.DB
	totals  *derive.Totals
	windows *derive.Windows
	rollup  *derive.Rollup
}

// top is the top of a board from memory, unless it is too old or the board has closed since it
// was read.
func (s pages) top(b game.Board, limit int64) (page game.Page, ok bool) {
	page, ok = s.windows.Top(b.Key, limit, s.windowAge(b))
	return page, ok && page.Closed == s.db.Game.Closed(b.Period, s.db.Now())
}

// read reads a run, by its offset or behind the last entry of the page before, with ranks.
func (s pages) read(ctx context.Context, r game.PageRequest, last *cursor, page *game.Page) error {
	var err error
	if last != nil {
		err = s.readAfter(ctx, *last, r.Limit, page)
	} else {
		err = s.readRun(ctx, r, page)
	}
	if err == nil && len(page.Entries) == 0 && page.Total > page.Position {
		err = s.recount(ctx, page)
	}
	if err != nil {
		return err
	}
	return s.rank(ctx, page)
}

// fewPlayers is the largest board of which the first page is read with all others, some 10 KB:
// then the total costs no command.
const fewPlayers = 200

// readRun reads a run by its offset, and the total unless the run shows it: where the total is not
// known, but likely small, a top is read as far as that.
func (s pages) readRun(ctx context.Context, r game.PageRequest, page *game.Page) error {
	b, limit := page.Board, r.Limit
	_, known := s.totals.Fresh(b.Key)
	likely, guessed := s.totals.Likely(b.Key)
	whole := !known && guessed && r.Offset == 0 && likely <= max(limit, fewPlayers)
	if whole {
		limit = max(limit, fewPlayers)
	}
	var p redis.Pipeline
	p.Add(redis.RangeCommand(b, r.Offset, r.Offset+limit), redis.EntriesInto(b, &page.Entries))
	if !whole {
		s.totals.Ask(&p, b.Key, &page.Total)
	}
	if _, err := p.Run(ctx, s.db.Redis); err != nil {
		return err
	}
	page.Position = r.Offset
	seen := int64(len(page.Entries))
	end := r.Offset + seen
	if seen > limit && page.Total < end {
		if err := s.recount(ctx, page); err != nil {
			return err
		}
	}
	switch {
	case seen == 0 && r.Offset > 0: // it begins behind the board's end, as far as is known
	case seen <= limit: // the board ends with it
		page.Total = end
		s.totals.Set(b.Key, end)
	default:
		page.Total = max(page.Total, end)
		s.totals.Set(b.Key, page.Total)
	}
	page.Cut(r.Limit)
	return nil
}

// recount counts a board of which the page shows that the remembered total is wrong: it was lost
// since, or made again.
//
// Cost: 1 billed command.
func (s pages) recount(ctx context.Context, page *game.Page) error {
	s.totals.Forget(page.Board.Key)
	var p redis.Pipeline
	s.totals.Ask(&p, page.Board.Key, &page.Total)
	_, err := p.Run(ctx, s.db.Redis)
	return err
}

// windowAge is how old a page from memory may be.
func (s pages) windowAge(b game.Board) time.Duration {
	m := s.rollup.Measures()
	age := m.CacheFor(s.db.Game.Cache)
	if b.Derived() {
		return min(m.RefreshEvery(s.db.Game.Refresh), age)
	}
	return age
}

// newPage is a page without entries of a board that was just refreshed.
func (s pages) newPage(b game.Board) game.Page {
	now := s.db.Now()
	page := game.Page{Board: b, UpdatedAt: now, Closed: s.db.Game.Closed(b.Period, now)}
	if made, lacking := derive.Lacking(s.rollup, b); lacking {
		page.UpdatedAt, page.Stale = made, ErrLacking
	}
	return page
}

// rank numbers the page's entries. If ranks are shared, this costs one command, unless the
// entries that were read before the first one, or the search for a cursor's place, show how
// many are ahead of it. Players who came in since the page was read do not count: no rank
// exceeds a position, nor the total.
func (s pages) rank(ctx context.Context, page *game.Page) error {
	b, entries, first := page.Board, page.Entries, page.Position
	before := page.Before
	page.Before = nil
	if len(entries) == 0 {
		return nil
	}
	if b.Mode.Ties == game.Earliest {
		b.Rank(entries, first, first)
		return nil
	}
	read := int64(len(before))
	tie := read // entries of before from tie on share the rank of the page's first entry
	for tie > 0 && before[tie-1].Score == entries[0].Score {
		tie--
	}
	rank := first - (read - tie) + 1
	switch {
	case tie > 0, rank == 1: // all that share its rank were read
	case page.TieRank > 0:
		rank = min(rank, page.TieRank)
	default:
		var ahead int64
		if err := s.db.Ask(ctx, redis.AheadCommand(b, entries[0].Score), redis.IntInto(&ahead)); err != nil {
			return redis.Wrap("rank a page", err)
		}
		rank = min(rank, ahead+1)
	}
	b.Rank(entries, first, rank-1)
	return nil
}

// nameOn fills in the names of the entries of a board. Groups have no names here, and the id
// of a group may be that of a player.
func nameOn(ctx context.Context, players *player.Profiles, b game.Board, entries []game.Entry) error {
	if b.OfTeams() {
		return nil
	}
	return players.Name(ctx, entries)
}

// nameFromMemory fills in the names that this process knows, however old they are.
func nameFromMemory(known *player.Directory, entries []game.Entry) {
	for i, e := range entries {
		if p, ok := known.Last(e.Player); ok {
			entries[i].Profile = p.Profile().Shown()
		}
	}
}
