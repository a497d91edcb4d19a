package api

import (
	"encoding/json"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/budget"
	"github.com/framedle/leaderboards/internal/game"
)

// How far one request may reach.
const (
	maxLimit     = 200
	defaultLimit = 100
	maxOffset    = 10_000_000
	maxRange     = 50
	defaultRange = 5
	maxLookup    = 500
)

// boards are the endpoints of boards, and what they have logged last.
type boards struct {
	kernel
	reads reads
	told  *atomic.Int64 // when the log last told that answers are stale, in ns
}

func newBoards(k kernel, c Config) boards { return boards{k, newReads(c), new(atomic.Int64)} }

// pageAnswer is a run of entries of one board.
type pageAnswer struct {
	Mode       string        `json:"mode"`
	Period     string        `json:"period"`
	Key        string        `json:"key"`
	Scope      string        `json:"scope"`
	Total      int64         `json:"total"`
	UpdatedAt  string        `json:"updated_at"`
	Closed     bool          `json:"closed"`
	Stale      bool          `json:"stale,omitempty"`
	Entries    []entryAnswer `json:"entries"`
	NextCursor string        `json:"next_cursor,omitempty"`
	History    string        `json:"history,omitempty"`
}

type entryAnswer struct {
	Rank    int64           `json:"rank"`
	Player  string          `json:"player"`
	Score   json.RawMessage `json:"score"`
	Name    string          `json:"name,omitempty"`
	Picture string          `json:"picture,omitempty"`
	Country string          `json:"country,omitempty"`
}

func newPageAnswer(p game.Page) pageAnswer {
	return pageAnswer{
		Mode: p.Board.Mode.Called(), Period: p.Board.Period.Kind().String(), Key: p.Board.Period.Key(),
		Scope: p.Board.Scope.String(), Total: p.Total, UpdatedAt: p.UpdatedAt.UTC().Format(time.RFC3339),
		Closed: p.Closed, Stale: p.Stale != nil, Entries: newEntries(p.Board.Mode, p.Entries), NextCursor: p.Next,
	}
}

func newEntries(m *game.Mode, entries []game.Entry) []entryAnswer {
	rows := make([]entryAnswer, len(entries))
	for i, e := range entries {
		rows[i] = newEntry(m, e)
	}
	return rows
}

func newEntry(m *game.Mode, e game.Entry) entryAnswer {
	return entryAnswer{
		Rank: e.Rank, Player: e.Player, Score: json.RawMessage(m.FormatScore(e.Score)),
		Name: e.Profile.Name, Picture: e.Profile.Picture, Country: e.Profile.Country,
	}
}

// getPage reads GET /v1/leaderboards/{mode}.
func (s boards) getPage(w http.ResponseWriter, r *request) error {
	q := newQuery(r)
	b, err := s.whichBoard(r, q)
	if err != nil {
		return err
	}
	request := game.PageRequest{
		Limit:  q.number("limit", defaultLimit, 1, maxLimit),
		Offset: q.number("offset", 0, 0, maxOffset),
		Cursor: q.text("cursor"),
	}
	if request.Cursor != "" {
		if request.Offset > 0 {
			q.fault("offset", "use either a cursor or an offset")
		}
		if s.reads.boards.CheckCursor(b, request.Cursor) != nil {
			q.fault("cursor", "the cursor is not one that this board gave out; begin again without one")
		}
	}
	if err := q.done(); err != nil {
		return err
	}
	page, err := s.reads.page(r.Context(), b, request)
	if err != nil {
		return err
	}
	answer := newPageAnswer(page)
	if s.reads.history == nil && s.reads.boards.Left(b) {
		answer.History = historyUnavailable
	}
	s.tellStale(r.Context(), page.Stale)
	m := s.reads.boards.Degraded(b)
	tellDegraded(w, budget.Measures{Caches: m.Caches, Refresh: m.Refresh})
	return writePage(w, r, s.cachePage(page), answer)
}
