package board

import (
	"context"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
)

// Boards of periods leave Redis at a fixed moment. What an archive then tells
// of them is made into the same pages and cards here: with names, and with
// cursors that go on where those of Redis left off.

// Left reports whether a board has left Redis: its key has reached its expiry.
func (s *Store) Left(b game.Board) bool {
	return s.DB.Age(b.Period) == game.Expired
}

// Closed reports whether the board's period takes no more scores.
func (s *Store) Closed(b game.Board) bool { return s.DB.Age(b.Period) >= game.Closed }

// Nobody reports whether nobody is on a board in Redis, or its key is not there.
//
// Cost: nothing where the board has just been counted, else 1 billed command.
func (s *Store) Nobody(ctx context.Context, b game.Board) (bool, error) {
	var players int64
	var p rdb.Pipeline
	s.Rollup.AskTotal(&p, b, &players)
	_, err := p.Run(ctx, s.DB.Redis)
	return players == 0, rdb.Wrap("count "+b.Key, err)
}

// CursorPlace is the place after which a cursor goes on. Errors: ErrCursor.
func (s *Store) CursorPlace(b game.Board, text string) (game.Place, error) {
	c, err := s.readCursor(b, text)
	return game.Place{Stored: c.stored, Player: c.player}, err
}

// Archived makes pages and cards of what an archive tells of boards that have left
// Redis.
type Archived struct{ boards *Store }

// Page completes a run of a board, which has what is there and from where on.
//
// Cost: nothing, or 1 billed command for names that this process does not know.
func (a Archived) Page(ctx context.Context, b game.Board, run game.Page) (game.Page, error) {
	page := a.boards.newPage(b)
	page.Total, page.Position = run.Total, run.Position
	page.More = run.Position+int64(len(run.Entries)) < run.Total
	var err error
	page.Entries, err = a.Entries(ctx, b, run.Entries)
	return a.boards.withNext(page), err
}

// Entries gives entries names, at the same cost.
func (a Archived) Entries(ctx context.Context, b game.Board, entries []game.Entry) ([]game.Entry, error) {
	err := a.boards.nameOn(ctx, b, entries, false)
	if Refused(err) { // then the archive is all the more wanted
		a.boards.nameFromMemory(entries)
		return entries, nil
	}
	return entries, err
}

// Card completes a standing, at the same cost.
func (a Archived) Card(ctx context.Context, b game.Board, at game.Standing) (game.Standing, error) {
	entries, err := a.Entries(ctx, b, []game.Entry{at.Entry})
	at.Entry, at.UpdatedAt = entries[0], a.boards.DB.Now()
	return at, err
}
