package board

import (
	"context"
	"encoding/json"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/rdb"
)

// Boards of periods leave Redis at a fixed moment. What an archive then tells
// of them is made into the same pages and cards here: with names, and with
// cursors that go on where those of Redis left off.

// ArchivedEntry is one row of a board that has left Redis.
type ArchivedEntry struct {
	Rank int64
	game.Place
}

// ArchivedRun is a run of such a board, in its order.
type ArchivedRun struct {
	Total    int64 // players on the board
	Position int64 // of the first entry, zero-based
	Entries  []ArchivedEntry
}

// ArchivedStanding is where one player stood on such a board.
type ArchivedStanding struct {
	ArchivedEntry
	Total        int64
	PreviousRank int64           // 0: not on the board of the period before
	Details      json.RawMessage // nil: none
}

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

// Page is the page that a run makes.
//
// Cost: nothing, or 1 billed command for names that this process does not know.
func (a Archived) Page(ctx context.Context, b game.Board, run ArchivedRun) (game.Page, error) {
	page := a.boards.newPage(b)
	page.Total, page.Position = run.Total, run.Position
	page.More = run.Position+int64(len(run.Entries)) < run.Total
	var err error
	page.Entries, err = a.Entries(ctx, b, run.Entries)
	return a.boards.withNext(page), err
}

// Entries are entries with names, at the same cost.
func (a Archived) Entries(ctx context.Context, b game.Board, archived []ArchivedEntry) ([]game.Entry, error) {
	entries := make([]game.Entry, len(archived))
	for i, e := range archived {
		entries[i] = game.Entry{Rank: e.Rank, Player: e.Player, Score: b.Mode.Decode(e.Stored), Stored: e.Stored}
	}
	err := a.boards.nameOn(ctx, b, entries, false)
	if Refused(err) { // then the archive is all the more wanted
		a.boards.nameFromMemory(entries)
		return entries, nil
	}
	return entries, err
}

// Card is the card that a standing makes, at the same cost.
func (a Archived) Card(ctx context.Context, b game.Board, at ArchivedStanding) (game.Standing, error) {
	entries, err := a.Entries(ctx, b, []ArchivedEntry{at.ArchivedEntry})
	return game.Standing{Entry: entries[0], Total: at.Total, PreviousRank: at.PreviousRank, Details: at.Details, UpdatedAt: a.boards.DB.Now()}, err
}
