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
	end, ok := s.DB.Game.Expires(b.Period)
	return ok && !s.DB.Now().Before(end)
}

// Closed reports whether the board's period takes no more scores.
func (s *Store) Closed(b game.Board) bool { return s.DB.Game.Closed(b.Period, s.DB.Now()) }

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

// ArchivedPage is the page that a run makes.
//
// Cost: nothing, or 1 billed command for names that this process does not know.
func (s *Store) ArchivedPage(ctx context.Context, b game.Board, run ArchivedRun) (game.Page, error) {
	page := s.newPage(b)
	page.Total, page.Position = run.Total, run.Position
	page.More = run.Position+int64(len(run.Entries)) < run.Total
	var err error
	page.Entries, err = s.ArchivedEntries(ctx, b, run.Entries)
	return s.withNext(page), err
}

// ArchivedEntries are entries with names, at the same cost.
func (s *Store) ArchivedEntries(ctx context.Context, b game.Board, archived []ArchivedEntry) ([]game.Entry, error) {
	entries := make([]game.Entry, len(archived))
	for i, e := range archived {
		entries[i] = game.Entry{Rank: e.Rank, Player: e.Player, Score: b.Mode.Decode(e.Stored), Stored: e.Stored}
	}
	err := s.nameOn(ctx, b, entries, false)
	if Refused(err) { // then the archive is all the more wanted
		s.nameFromMemory(entries)
		return entries, nil
	}
	return entries, err
}

// ArchivedCard is the card that a standing makes, at the same cost.
func (s *Store) ArchivedCard(ctx context.Context, b game.Board, at ArchivedStanding) (game.Standing, error) {
	entries, err := s.ArchivedEntries(ctx, b, []ArchivedEntry{at.ArchivedEntry})
	return game.Standing{Entry: entries[0], Total: at.Total, PreviousRank: at.PreviousRank, Details: at.Details, UpdatedAt: s.DB.Now()}, err
}
