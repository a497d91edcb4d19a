package leaderboard

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// How many entries a page after a cursor reads around the place that the last entry had: few at
// first, since as a rule few players have come in above meanwhile; then as many as one command
// may reasonably return, at some 60 bytes an entry.
const (
	nearAbove = 25
	nearBelow = 75
	far       = 5000 // through entries that tie with the cursor's
	joined    = 1000 // how many entries that tie may have come in since they were counted
)

// dearest is the most commands that the request for a page spends, whatever the cursor,
// besides the refresh of a derived board.
const dearest = 4

// found is the run of entries behind a cursor, and those right before it.
type found struct {
	before, run []game.Entry
	position    int64 // of the run, zero-based
	commands    int64 // spent on it
	tieRank     int64 // the rank of all entries that tie with the cursor's; 0: unknown
}

// after reads the entries after the cursor's.
func (s pages) after(ctx context.Context, c cursor, limit int64, page *game.Page) error {
	b := page.Board
	f, err := s.find(ctx, b, c, limit)
	if err != nil {
		return err
	}
	page.Entries, page.Before, page.Position = f.run, f.before, f.position
	page.Cut(limit)
	if len(page.Entries) > 0 && c.ties(b, page.Entries[0]) {
		page.Tied, page.TieRank = c.tied+1, f.tieRank
	}
	return s.count(ctx, c, f, page)
}

// count sets the page's total. If the page ends the board, that is where it ends; else it is
// the remembered total if that is fresh; else, if the first range had the place, a new count
// for one command; else the last total that the process or the cursor knows.
func (s pages) count(ctx context.Context, c cursor, f found, page *game.Page) error {
	b := page.Board
	end := page.Position + int64(len(page.Entries))
	switch players, fresh := s.totals.Fresh(b.Key); {
	case !page.More && len(page.Entries) > 0:
		page.Total = end // the board ends here
		s.totals.Set(b.Key, end)
		return nil
	case fresh:
		page.Total = players
	case f.commands == 1:
		var p redis.Pipeline
		s.rollup.AskTotal(&p, b, &page.Total)
		if _, err := p.Run(ctx, s.db.Redis); err != nil {
			return err
		}
	default:
		page.Total = c.total
		if players, known := s.totals.Last(b.Key); known {
			page.Total = players
		}
	}
	page.Total = max(page.Total, end)
	if page.More {
		page.Total = max(page.Total, end+1)
	}
	return nil
}

// find reads the run behind the cursor. It reads one range around the place where the cursor's
// entry stood. The order of that range shows where the place is now, even if the entry has left
// the board, and mostly the range has the run. If not, the range shows in which direction the
// place has moved. If the entries at that end of the range tie with the cursor's, the next
// range goes on through them; else find counts the better entries.
//
// Cost: 1 billed command, and up to 3, each in a round trip of its own; up to 2 if the rank may
// need another one. Errors: ErrCursorLost if too many entries that tie have come in or left
// before the place.
func (s pages) find(ctx context.Context, b game.Board, c cursor, limit int64) (found, error) {
	most := int64(dearest - 1) // the last one is for names
	if b.Mode.Ties == game.Shared {
		most--
	}
	var commands, tieRank int64
	next := span{c.passed - 1 - nearAbove, c.passed - 1 + nearBelow + limit}
	for {
		at, f, err := s.look(ctx, b, c, next, limit)
		commands++
		if f.commands, f.tieRank = commands, tieRank; err != nil || at == placed {
			return f, err
		}
		if commands >= most {
			return found{}, ErrCursorLost
		}
		switch last := len(f.before) - 1; {
		case at == within: // the run goes on beyond the range
			next = span{f.position - nearAbove, f.position + nearBelow + limit}
		case at == below && c.ties(b, f.before[last]):
			next = span{f.position - nearAbove, f.position + far + limit}
		case at == above && len(f.run) > 0 && c.ties(b, f.run[0]):
			next = span{f.position - far, f.position + nearBelow + limit}
		case commands > 1:
			return found{}, ErrCursorLost
		default:
			ahead, err := s.ahead(ctx, b, c)
			if err != nil {
				return found{}, err
			}
			next = span{ahead + max(0, c.tied-far) - nearAbove, ahead + c.tied + joined + limit}
			commands, most = commands+1, dearest-1
			if b.Mode.Ties == game.Shared {
				tieRank = ahead + 1
			}
		}
	}
}

// ahead counts the entries that are better than those that tie with the cursor's.
func (s pages) ahead(ctx context.Context, b game.Board, c cursor) (n int64, err error) {
	score := game.FormatStored(c.stored)
	command := upstash.Cmd("ZCOUNT", b.Key, "("+score, "+inf")
	switch {
	case b.Mode.Ties == game.Shared:
		command = redis.AheadCommand(b, b.Mode.Decode(c.stored))
	case b.Mode.Order == game.Asc:
		command = upstash.Cmd("ZCOUNT", b.Key, "-inf", "("+score)
	}
	err = s.db.Ask(ctx, command, redis.IntInto(&n))
	return n, err
}

// span is a run of positions, zero-based and inclusive.
type span struct{ first, last int64 }

// whereabouts is what a range shows of a cursor's place.
type whereabouts int

const (
	placed whereabouts = iota // it is in the range, and so is the run behind it
	within                    // it is in the range, but the run goes beyond
	above                     // it is before the range
	below                     // it is behind the range
)

// look reads a range of positions and splits it at the cursor's place.
func (s pages) look(ctx context.Context, b game.Board, c cursor, at span, limit int64) (whereabouts, found, error) {
	at.first = max(0, at.first)
	var entries []game.Entry
	if err := s.db.Ask(ctx, redis.RangeCommand(b, at.first, at.last), redis.EntriesInto(b, &entries)); err != nil {
		return 0, found{}, err
	}
	n := 0
	for n < len(entries) && c.notBefore(b, entries[n]) {
		n++
	}
	f := found{before: entries[:n], run: entries[n:], position: at.first + int64(n)}
	ends := int64(len(entries)) <= at.last-at.first // the range ends with the board
	switch {
	case n == 0 && at.first > 0:
		return above, f, nil
	case ends || int64(len(f.run)) > limit:
		return placed, f, nil
	case len(f.run) == 0:
		return below, f, nil
	}
	return within, f, nil
}

// notBefore reports whether the entry is at the cursor's place or above it.
func (c cursor) notBefore(b game.Board, e game.Entry) bool {
	if e.Stored != c.stored {
		return (e.Stored < c.stored) == (b.Mode.Order == game.Asc)
	}
	if b.Mode.Order == game.Asc {
		return e.Player <= c.player
	}
	return e.Player >= c.player
}

// ties reports whether an entry ties with the cursor's entry: by the true score if ranks are
// shared, else by the stored score. Two entries rarely have one stored score, except on boards
// of totals.
func (c cursor) ties(b game.Board, e game.Entry) bool {
	if b.Mode.Ties == game.Shared {
		return e.Score == b.Mode.Decode(c.stored)
	}
	return e.Stored == c.stored
}
