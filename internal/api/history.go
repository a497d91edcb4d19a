package api

import (
	"context"
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/game"

	lru "github.com/hashicorp/golang-lru/v2"
)

// ErrHistoryAway is returned by a History that cannot be reached.
var ErrHistoryAway = errors.New("the history cannot be reached")

// History answers for boards that have left Redis, and keeps what is to
// outlive it. Boards that are still there are asked of it only where Redis
// refuses, or says that nobody was on the board of a period that is over.
type History interface {
	// Page reads up to limit entries from an offset or, where after is not nil,
	// behind its place.
	Page(ctx context.Context, b game.Board, limit, offset int64, after *game.Place) (game.Page, error)
	// Standing reads one player's. Errors: board.ErrNotOnBoard.
	Standing(ctx context.Context, b game.Board, player string) (game.Standing, error)
	// Around reads reach entries above and below a player. Errors: board.ErrNotOnBoard.
	Around(ctx context.Context, b game.Board, player string, reach int64) (game.Page, error)
	// Lookup ranks those of the players who are on the board among themselves.
	Lookup(ctx context.Context, b game.Board, players []string) ([]game.Entry, error)
	// SavedAt is when the board's days were last saved; the zero time where none was.
	SavedAt(ctx context.Context, b game.Board) (time.Time, error)
	PlayerHistory
}

// reads answers for boards, wherever they are.
type reads struct {
	boards  *board.Store
	history History // nil: none
	now     func() time.Time
	places  *lru.Cache[string, place]
}

func newReads(c Config) reads {
	places, _ := lru.New[string, place](rememberPlaces) // fails for sizes below one only
	return reads{c.Boards, c.History, c.Now, places}
}

// inHistory reports whether history answers for a board: it has left Redis, or
// Redis has lost it.
func (rs reads) inHistory(b game.Board) bool {
	return rs.history != nil && (rs.boards.Left(b) || rs.remembers(b, lost))
}

// reading is a question that Redis and the history both can answer.
type reading[T any] struct {
	redis   func() (T, error)
	nobody  func(T, error) bool // whether the answer may be that nobody is on the board
	history func() (T, error)
	stale   func(*T, time.Time, error) // marks the answer as one of that time, and why; nil: none is given
}

// read asks wherever the board is. While Redis refuses, what is not in this
// process's memory is answered as it was last saved. And where Redis says of a
// period that is over that nobody is on its board, the history is asked before
// that is believed.
func read[T any](ctx context.Context, rs reads, b game.Board, r reading[T]) (T, error) {
	if rs.inHistory(b) {
		return r.history()
	}
	answer, err := r.redis()
	switch {
	case rs.history == nil, b.Period.Kind() == game.AllTime:
	case board.Refused(err) && r.stale != nil:
		return readSaved(ctx, rs, b, r, err)
	case r.nobody(answer, err) && rs.boards.Closed(b):
		missing, lookErr := rs.isLost(ctx, b)
		if lookErr != nil {
			return answer, lookErr
		}
		if missing {
			return r.history()
		}
	}
	return answer, err
}

// readSaved answers as the history has it, or with why Redis refused.
func readSaved[T any](ctx context.Context, rs reads, b game.Board, r reading[T], refused error) (answer T, err error) {
	at, err := rs.history.SavedAt(ctx, b)
	if err != nil || at.IsZero() {
		return answer, refused
	}
	answer, err = r.history()
	if err != nil { // who was not on it then may be now
		return answer, refused
	}
	r.stale(&answer, at, refused)
	return answer, nil
}

// page reads a page from wherever the board is. Cursors of both places are
// the same: a walk begun in Redis goes on in history.
func (rs reads) page(ctx context.Context, b game.Board, r game.PageRequest) (game.Page, error) {
	return read(ctx, rs, b, reading[game.Page]{
		redis:   func() (game.Page, error) { return rs.boards.Page(ctx, b, r) },
		nobody:  func(page game.Page, err error) bool { return err == nil && page.Total == 0 },
		history: func() (game.Page, error) { return rs.pageOfHistory(ctx, b, r) },
		stale:   stalePage,
	})
}

func stalePage(page *game.Page, at time.Time, why error) { page.Stale, page.UpdatedAt = why, at }

func (rs reads) pageOfHistory(ctx context.Context, b game.Board, r game.PageRequest) (game.Page, error) {
	var after *game.Place
	if r.Cursor != "" {
		place, err := rs.boards.CursorPlace(b, r.Cursor)
		if err != nil {
			return game.Page{}, err
		}
		after = &place
	}
	run, err := rs.history.Page(ctx, b, r.Limit, r.Offset, after)
	if err != nil {
		return game.Page{}, err
	}
	return rs.boards.Archived.Page(ctx, b, run)
}

func (rs reads) card(ctx context.Context, b game.Board, player string) (game.Standing, error) {
	return read(ctx, rs, b, reading[game.Standing]{
		redis: func() (game.Standing, error) {
			card, err := rs.boards.Card(ctx, b, player)
			if err == nil && card.PreviousRank == 0 && card.Stale == nil {
				card.PreviousRank = rs.rankBefore(ctx, b, player)
			}
			return card, err
		},
		nobody: func(_ game.Standing, err error) bool { return errors.Is(err, board.ErrNotOnBoard) },
		history: func() (game.Standing, error) {
			standing, err := rs.history.Standing(ctx, b, player)
			if err != nil {
				return game.Standing{}, err
			}
			return rs.boards.Archived.Card(ctx, b, standing)
		},
		stale: func(card *game.Standing, at time.Time, why error) { card.Stale, card.UpdatedAt = why, at },
	})
}

// patience is how long a card waits for a rank that only the history has.
const patience = time.Second

// rankBefore is where a player stood the period before, if Redis does not have
// that board any more; 0 where nobody knows. Boards that are open have theirs
// before them in Redis, so this keeps nobody waiting who plays.
func (rs reads) rankBefore(ctx context.Context, b game.Board, player string) int64 {
	earlier, ok := b.Period.Previous()
	if !ok || rs.history == nil || rs.boards.Degraded(b).Features {
		return 0
	}
	before := game.BoardOf(b.Mode, earlier, b.Scope)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if !rs.inHistory(before) {
		if !rs.boards.Closed(before) || rs.remembers(before, there) {
			return 0
		}
		if missing, err := rs.isLost(ctx, before); err != nil || !missing {
			return 0
		}
	}
	standing, err := rs.history.Standing(ctx, before, player)
	if err != nil { // not on that board, or the history is away: the card does without
		return 0
	}
	return standing.Rank
}

func (rs reads) around(ctx context.Context, b game.Board, player string, reach int64) (game.Page, error) {
	return read(ctx, rs, b, reading[game.Page]{
		redis:  func() (game.Page, error) { return rs.boards.Around(ctx, b, player, reach) },
		nobody: func(_ game.Page, err error) bool { return errors.Is(err, board.ErrNotOnBoard) },
		history: func() (game.Page, error) {
			run, err := rs.history.Around(ctx, b, player, reach)
			if err != nil {
				return game.Page{}, err
			}
			page, err := rs.boards.Archived.Page(ctx, b, run)
			page.Next = "" // surroundings have no next page
			return page, err
		},
		stale: stalePage,
	})
}

func (rs reads) lookup(ctx context.Context, b game.Board, players []string) ([]game.Entry, error) {
	return read(ctx, rs, b, reading[[]game.Entry]{
		redis:  func() ([]game.Entry, error) { return rs.boards.Lookup(ctx, b, players) },
		nobody: func(found []game.Entry, err error) bool { return err == nil && len(found) == 0 },
		history: func() ([]game.Entry, error) {
			entries, err := rs.history.Lookup(ctx, b, players)
			if err != nil {
				return nil, err
			}
			return rs.boards.Archived.Entries(ctx, b, entries)
		},
	})
}

// historyUnavailable says on a page that its board has left Redis and nothing
// keeps it: that it is empty tells nothing of who played.
const historyUnavailable = "unavailable"
