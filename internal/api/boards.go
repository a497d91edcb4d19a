package api

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/answers"
	"github.com/framedle/leaderboards/internal/board"
	"github.com/framedle/leaderboards/internal/fields"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gate"
	"github.com/framedle/leaderboards/internal/problem"
)

// How far one request may reach.
const (
	maxLimit     = 200
	defaultLimit = 100
	maxOffset    = 10_000_000
	maxRange     = 50
	defaultRange = 5
	maxLookup    = 500
	maxNear      = 1_000_000_000
)

// Cursors know those that a board has given out.
type Cursors interface {
	CheckCursor(b game.Board, cursor string) error
}

// boards are the endpoints of boards, and what they have logged last.
type boards struct {
	kernel
	cursors Cursors
	reads   *board.Reader
	lists   FriendLists
	encoded encodedPages
	told    *atomic.Int64 // when the log last told that answers are stale, in ns
}

func newBoards(k kernel, c Config) boards {
	return boards{k, c.Boards, board.NewReader(c.Boards, c.History, c.Lost), c.Lists, newEncodedPages(), new(atomic.Int64)}
}

// boardAnswer names a board.
type boardAnswer struct {
	Mode   string `json:"mode"`
	Period string `json:"period"`
	Key    string `json:"key"`
	Scope  string `json:"scope"`
}

func newBoardAnswer(b game.Board) boardAnswer {
	return boardAnswer{b.Mode.Called(), b.Period.Kind().String(), b.Period.Key(), b.Scope.String()}
}

// pageAnswer is a run of entries of one board.
type pageAnswer struct {
	boardAnswer
	Total      int64         `json:"total"`
	UpdatedAt  string        `json:"updated_at"`
	Closed     bool          `json:"closed"`
	Stale      bool          `json:"stale,omitempty"`
	Entries    []entryAnswer `json:"entries"`
	NextCursor string        `json:"next_cursor,omitempty"`
	History    string        `json:"history,omitempty"`
}

// historyUnavailable says on a page that its board has left Redis and nothing
// keeps it: that it is empty tells nothing of who played.
const historyUnavailable = "unavailable"

type entryAnswer struct {
	Rank    int64           `json:"rank"`
	Player  string          `json:"player"`
	Score   json.RawMessage `json:"score"`
	Values  json.RawMessage `json:"values,omitempty"`
	Name    string          `json:"name,omitempty"`
	Picture string          `json:"picture,omitempty"`
	Country string          `json:"country,omitempty"`
	Me      bool            `json:"me,omitempty"` // it is the caller's own
}

func newPageAnswer(p game.Page, me string) pageAnswer {
	return pageAnswer{
		boardAnswer: newBoardAnswer(p.Board),
		Total:       p.Total, UpdatedAt: p.UpdatedAt.UTC().Format(time.RFC3339), Closed: p.Closed, Stale: p.Stale != nil,
		Entries: newEntries(p.Board, p.Entries, me), NextCursor: p.Next,
	}
}

// newEntries are rows of a board, with the caller's own marked; me empty: nobody's.
func newEntries(b game.Board, entries []game.Entry, me string) []entryAnswer {
	rows := make([]entryAnswer, len(entries))
	scores := make([]byte, 0, scoreBytes*len(entries)) // of all rows, one behind the other
	for i, e := range entries {
		from := len(scores)
		scores = game.AppendScaled(scores, e.Score, b.Mode.Decimals)
		rows[i] = newRow(b, e, scores[from:len(scores):len(scores)], me)
	}
	return rows
}

// scoreBytes is how long most scores are.
const scoreBytes = 8

func newEntry(b game.Board, e game.Entry, me string) entryAnswer {
	return newRow(b, e, game.AppendScaled(nil, e.Score, b.Mode.Decimals), me)
}

func newRow(b game.Board, e game.Entry, score json.RawMessage, me string) entryAnswer {
	return entryAnswer{
		Rank: e.Rank, Player: e.Player, Score: score, Values: b.Mode.FormatValues(e.Score),
		Name: e.Profile.Name, Picture: e.Profile.Picture, Country: e.Profile.Country,
		Me: e.Player == me && !b.OfTeams(), // there, groups have the rows
	}
}

// marked reports whether a row is the caller's own.
func marked(rows []entryAnswer) bool {
	return slices.ContainsFunc(rows, func(row entryAnswer) bool { return row.Me })
}

// getPage reads GET /v1/leaderboards/{mode}.
func (s boards) getPage(w http.ResponseWriter, r *gate.Request) error {
	q := fields.OpenQuery(r.URL)
	b, err := whichBoard(s.game, s.now(), r, q)
	if err != nil {
		return err
	}
	request := s.whichRun(q, b)
	if err := q.Done(); err != nil {
		return err
	}
	page, err := s.reads.Page(r.Context(), b, request)
	if err != nil {
		return err
	}
	history := ""
	if page.Unkept {
		history = historyUnavailable
	}
	body, tag, own := s.encoded.encode(page.Found, r.Caller.Player.ID, history)
	s.tellStale(r.Context(), page.Found.Stale)
	tellDegraded(w, page.Degraded)
	cache, networks := s.cachePage(page)
	if own {
		cache = answers.OwnCache
	} else {
		w.Header().Set("CDN-Cache-Control", networks)
	}
	answers.Tagged(w, r.Request, cache, body, tag)
	return nil
}

// whichRun reads which entries of a board are meant.
func (s boards) whichRun(q *fields.Query, b game.Board) game.PageRequest {
	run := game.PageRequest{
		Limit:  q.Number("limit", defaultLimit, 1, maxLimit),
		Offset: q.Number("offset", 0, 0, maxOffset),
		Cursor: q.Text("cursor"),
	}
	if run.Cursor != "" {
		if run.Offset > 0 {
			q.Fault("offset", "use either a cursor or an offset")
		}
		if s.cursors.CheckCursor(b, run.Cursor) != nil {
			q.Fault("cursor", "the cursor is not one that this board gave out; begin again without one")
		}
	}
	return run
}

// closedCache is how long caches may keep a page of a closed period: long, but
// a removal or an import still shows the same hour.
const closedCache = time.Hour

// cachePage says how long others may keep a page, so that with the time it has
// been in this process's memory, and with the time a cache may hand it out
// while it asks again, it is never older than the game allows. Browsers ask each time:
// nobody is shown the board of before their own score. What is for content delivery
// networks alone is in a header of theirs (RFC 9213), since browsers too would hand out
// what is stale while they ask again.
func (s boards) cachePage(read board.Answer[game.Page]) (shared, networks string) {
	return cacheFor(s.freshFor(read))
}

// freshFor is how long a page may be kept, and for how much longer it may be handed out
// while it is asked for again.
func (s boards) freshFor(read board.Answer[game.Page]) (fresh, while time.Duration) {
	page := read.Found
	if page.Stale != nil { // it is to go as soon as there is a better one
		return s.game.Refresh, 0
	}
	oldest := read.Degraded.CacheFor(s.game.Cache)
	if page.Closed {
		oldest = closedCache
	}
	while = min(s.game.Refresh, oldest/2)
	age := min(max(s.now().Sub(page.UpdatedAt), 0), oldest-while).Truncate(time.Second)
	return oldest - while - age, while
}

func cacheFor(fresh, while time.Duration) (shared, networks string) {
	seconds := int64(fresh / time.Second)
	return fmt.Sprintf("public, max-age=0, must-revalidate, s-maxage=%d", seconds),
		fmt.Sprintf("public, max-age=%d, stale-while-revalidate=%d", seconds, int64(while/time.Second))
}

// tellEvery is how often the log tells that answers are stale.
const tellEvery = time.Minute

// tellStale has the log tell why an answer was stale, since readers notice little
// of it; nil: it was not.
func (s boards) tellStale(ctx context.Context, why error) {
	if why == nil {
		return
	}
	now := s.now()
	last := s.told.Load()
	if now.UnixNano()-last < int64(tellEvery) || !s.told.CompareAndSwap(last, now.UnixNano()) {
		return
	}
	s.log.LogAttrs(ctx, slog.LevelWarn, "Redis refuses: reads are answered from memory and from the history",
		append(problem.RefusalAttrs(why, now), slog.String("error", why.Error()))...)
}
