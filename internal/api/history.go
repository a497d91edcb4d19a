package api

import (
	"context"
	"errors"
	"time"

	"github.com/framedle/leaderboards/internal/board"
)

// ErrHistoryAway is returned by a History that cannot be reached.
var ErrHistoryAway = errors.New("the history cannot be reached")

// History answers for boards that have left Redis, and keeps what is to
// outlive it. Boards that are still there are never asked of it.
type History interface {
	// Page reads up to limit entries from an offset or, where after is not nil,
	// behind its place.
	Page(ctx context.Context, b board.Board, limit, offset int64, after *board.Place) (board.ArchivedRun, error)
	// Standing reads one player's. Errors: board.ErrNotOnBoard.
	Standing(ctx context.Context, b board.Board, player string) (board.ArchivedStanding, error)
	// Around reads reach entries above and below a player. Errors: board.ErrNotOnBoard.
	Around(ctx context.Context, b board.Board, player string, reach int64) (board.ArchivedRun, error)
	// Lookup ranks those of the players who are on the board among themselves.
	Lookup(ctx context.Context, b board.Board, players []string) ([]board.ArchivedEntry, error)
	// Badges are a player's, newest first, at most so many.
	Badges(ctx context.Context, player string, most int) ([]Badge, error)
	// KeepProfile keeps what others see of a player.
	KeepProfile(ctx context.Context, player string, p board.Profile, at time.Time) error
}

// Badge is what a player has achieved in a week or month.
type Badge struct {
	Kind      string
	Mode      string
	Period    string
	PeriodKey string
	Scope     string
	Rank      int64
	AwardedAt time.Time
}

// WithHistory is the API with a history; nil for none.
func (a *API) WithHistory(h History) *API {
	with := *a
	with.History = h
	return &with
}

// inHistory tells boards that history answers for.
func (a *API) inHistory(b board.Board) bool { return a.History != nil && a.Store.Left(b) }

// readPage reads a page from wherever the board is. Cursors of both places are
// the same: a walk begun in Redis goes on in history.
func (a *API) readPage(ctx context.Context, b board.Board, r board.PageRequest) (board.Page, error) {
	if !a.inHistory(b) {
		return a.Store.Page(ctx, b, r)
	}
	var after *board.Place
	if r.Cursor != "" {
		place, err := a.Store.CursorPlace(b, r.Cursor)
		if err != nil {
			return board.Page{}, err
		}
		after = &place
	}
	run, err := a.History.Page(ctx, b, r.Limit, r.Offset, after)
	if err != nil {
		return board.Page{}, err
	}
	return a.Store.ArchivedPage(ctx, b, run)
}

func (a *API) readCard(ctx context.Context, b board.Board, player string) (board.Standing, error) {
	if !a.inHistory(b) {
		card, err := a.Store.Card(ctx, b, player)
		if err == nil && card.PreviousRank == 0 {
			card.PreviousRank = a.rankBefore(ctx, b, player)
		}
		return card, err
	}
	standing, err := a.History.Standing(ctx, b, player)
	if err != nil {
		return board.Standing{}, err
	}
	return a.Store.ArchivedCard(ctx, b, standing)
}

// patience is how long a card waits for a rank that only the history has.
const patience = time.Second

// rankBefore is where a player stood the period before a board that is the
// oldest in Redis; 0 where nobody knows. Boards that are open have theirs before
// them in Redis, so this keeps nobody waiting who plays.
func (a *API) rankBefore(ctx context.Context, b board.Board, player string) int64 {
	earlier, ok := b.Period.Previous()
	if !ok {
		return 0
	}
	before := a.Store.Board(b.Mode, earlier, b.Scope)
	if !a.inHistory(before) {
		return 0
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	standing, err := a.History.Standing(ctx, before, player)
	if err != nil { // not on that board, or the history is away: the card does without
		return 0
	}
	return standing.Rank
}

func (a *API) readAround(ctx context.Context, b board.Board, player string, reach int64) (board.Page, error) {
	if !a.inHistory(b) {
		return a.Store.Around(ctx, b, player, reach)
	}
	run, err := a.History.Around(ctx, b, player, reach)
	if err != nil {
		return board.Page{}, err
	}
	page, err := a.Store.ArchivedPage(ctx, b, run)
	page.Next = "" // surroundings are not gone on with
	return page, err
}

func (a *API) readLookup(ctx context.Context, b board.Board, players []string) ([]board.Entry, error) {
	if !a.inHistory(b) {
		return a.Store.Lookup(ctx, b, players)
	}
	entries, err := a.History.Lookup(ctx, b, players)
	if err != nil {
		return nil, err
	}
	return a.Store.ArchivedEntries(ctx, b, entries)
}

// historyUnavailable says on a page that its board has left Redis and nothing
// keeps it: that it is empty tells nothing of who played.
const historyUnavailable = "unavailable"
