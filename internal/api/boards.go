package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/platform/budget"
)

// How far one request may reach.
const (
	maxLimit     = 200
	DefaultLimit = 100
	maxOffset    = 10_000_000
	maxRange     = 50
	DefaultRange = 5
	maxLookup    = 500
	maxNear      = 1_000_000_000
)

// BoardsConfig is what New makes Boards of.
type BoardsConfig struct {
	Game  *game.Game
	Now   func() time.Time
	Log   *slog.Logger
	Store *leaderboard.Store
	Reads *leaderboard.Reader
}

// Boards are the endpoints of boards, and what other endpoints show of boards.
type Boards struct {
	BoardsConfig
	saidStale atomic.Int64 // when the log last said that answers are stale, in ns
}

// NewBoards makes Boards.
func NewBoards(c BoardsConfig) *Boards { return &Boards{BoardsConfig: c} }

// Routes are the routes of boards.
func (s *Boards) Routes() []gate.Route {
	return []gate.Route{
		// Steady: 0 while it is younger than cache.
		{Function: "leaderboard", Pattern: "GET /v1/leaderboards/{mode}", Auth: gate.Public, Limit: limit.Boards,
			Price: Look(BoardPrice), Steady: 1, Serve: s.getPage},
		{Function: "leaderboard", Pattern: "GET /v1/leaderboards/{mode}/players/{player}", Auth: gate.PublicOrMe, Limit: limit.Boards,
			Price: Look(CountryCard), Steady: 3, Serve: s.getCard},
		{Function: "leaderboard", Pattern: "GET /v1/leaderboards/{mode}/around/{player}", Auth: gate.PublicOrMe, Limit: limit.Boards,
			Price: Look(BoardPrice), Steady: 1, Serve: s.getAround},
		{Function: "leaderboard", Pattern: "POST /v1/leaderboards/{mode}/lookup", Auth: gate.Public, Limit: limit.Boards, Body: gate.Required,
			Price: Look(BoardPrice), Steady: 1, Serve: s.postLookup},
		{Function: "leaderboard", Pattern: "GET /v1/leaderboards/{mode}/distribution", Auth: gate.Public, Limit: limit.Boards,
			Price: Look(DistributionPrice), Steady: 1, Serve: s.getDistribution},
	}
}

// Board names a board.
type Board struct {
	Mode   string `json:"mode"`
	Period string `json:"period"`
	Key    string `json:"key"`
	Scope  string `json:"scope"`
}

func NewBoard(b game.Board) Board {
	return Board{b.Mode.Called(), b.Period.Kind().String(), b.Period.Key(), b.Scope.String()}
}

// Page is a page of one board.
type Page struct {
	Board
	Total      int64   `json:"total"`
	UpdatedAt  string  `json:"updated_at"`
	Closed     bool    `json:"closed"`
	Stale      bool    `json:"stale,omitempty"`
	Entries    []Entry `json:"entries"`
	NextCursor string  `json:"next_cursor,omitempty"`
	History    string  `json:"history,omitempty"`
}

// historyUnavailable marks a page whose board has expired from Redis and is kept nowhere
// else: an empty page does not mean that nobody played.
const historyUnavailable = "unavailable"

// Entry is a row of a board.
type Entry struct {
	Rank    int64           `json:"rank"`
	Player  string          `json:"player"`
	Score   json.RawMessage `json:"score"`
	Values  json.RawMessage `json:"values,omitempty"`
	Name    string          `json:"name,omitempty"`
	Picture string          `json:"picture,omitempty"`
	Country string          `json:"country,omitempty"`
	Me      bool            `json:"me,omitempty"` // this row is the caller's own
}

func NewPage(p game.Page, me string) Page {
	return Page{
		Board: NewBoard(p.Board),
		Total: p.Total, UpdatedAt: p.UpdatedAt.UTC().Format(time.RFC3339), Closed: p.Closed, Stale: p.Stale != nil,
		Entries: NewEntries(p.Board, p.Entries, me), NextCursor: p.Next,
	}
}

// NewEntries are the rows of a board with the caller me's own row Marked. An empty me marks
// none.
func NewEntries(b game.Board, entries []game.Entry, me string) []Entry {
	rows := make([]Entry, len(entries))
	for i, e := range entries {
		rows[i] = newEntry(b, e, me)
	}
	return rows
}

func newEntry(b game.Board, e game.Entry, me string) Entry {
	return Entry{
		Rank: e.Rank, Player: e.Player, Score: game.AppendScaled(nil, e.Score, b.Mode.Decimals), Values: b.Mode.FormatValues(e.Score),
		Name: e.Profile.Name, Picture: e.Profile.Picture, Country: e.Profile.Country,
		Me: e.Player == me && !b.OfTeams(), // on a board of teams the rows are groups
	}
}

// HasOwnRow reports whether one of the rows is the caller's own.
func HasOwnRow(rows []Entry) bool {
	return slices.ContainsFunc(rows, func(row Entry) bool { return row.Me })
}

// timed is an answer that says when it was read.
type timed interface{ readAt() string }

func (p Page) readAt() string { return p.UpdatedAt }

// WritePage is respond.Public for an answer whose entity tag leaves out when it was read, so
// that the tag changes only with the standings.
func WritePage(w http.ResponseWriter, r *gate.Request, cache string, page timed) error {
	body, err := json.Marshal(page)
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	before, after, _ := bytes.Cut(body, []byte(page.readAt()))
	respond.Tagged(w, r.Request, cache, body, respond.Tag(before, after))
	return nil
}

// getPage reads GET /v1/leaderboards/{mode}.
func (s *Boards) getPage(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	b, err := s.WhichBoard(r, q)
	if err != nil {
		return err
	}
	request := s.WhichRun(q, b)
	if err := q.Done(); err != nil {
		return err
	}
	page, err := s.Reads.Page(r.Context(), b, request)
	if err != nil {
		return err
	}
	history := ""
	if page.Unkept {
		history = historyUnavailable
	}
	answer := NewPage(page.Found, r.Caller.Player.ID)
	answer.History = history
	s.LogStale(r.Context(), page.Found.Stale)
	ShowDegraded(w, page.Degraded)
	fresh, while := s.FreshFor(page)
	return WritePage(w, r, CacheFor(w, HasOwnRow(answer.Entries), fresh, while), answer)
}

// WhichRun reads which page of a board the request means.
func (s *Boards) WhichRun(q *decode.Query, b game.Board) game.PageRequest {
	run := game.PageRequest{
		Limit:  q.Number("limit", DefaultLimit, 1, maxLimit),
		Offset: q.Number("offset", 0, 0, maxOffset),
		Cursor: q.Text("cursor"),
	}
	if run.Cursor != "" {
		if run.Offset > 0 {
			q.Fault("offset", "use either a cursor or an offset")
		}
		if s.Store.CheckCursor(b, run.Cursor) != nil {
			q.Fault("cursor", "invalid cursor for this board; restart without a cursor")
		}
	}
	return run
}

// ClosedCache is how long caches may keep a page of a closed period. It is short enough that
// a removal or an import shows within the hour.
const ClosedCache = time.Hour

// FreshFor returns how long caches may keep a page, and how much longer they may serve it
// while they revalidate it. Both and the page's age in this process's memory add up to no
// more than the game allows.
func (s *Boards) FreshFor(read leaderboard.Answer[game.Page]) (fresh, while time.Duration) {
	page := read.Found
	if leaderboard.NotWhole(page.Stale) {
		return 0, 0
	}
	if page.Stale != nil { // caches have to replace it as soon as Redis answers again
		return s.Game.Refresh, 0
	}
	oldest := read.Degraded.CacheFor(s.Game.Cache)
	if page.Closed {
		oldest = ClosedCache
	}
	while = min(s.Game.Refresh, oldest/2)
	age := min(max(s.Now().Sub(page.UpdatedAt), 0), oldest-while).Truncate(time.Second)
	return oldest - while - age, while
}

// CacheFor returns the Cache-Control header of an answer, which is the caller's own or the
// same for all callers. Browsers revalidate each time, so that no player sees the board as it
// was before their own score. The header that it sets is for content delivery networks only
// (RFC 9213): browsers would obey stale-while-revalidate too.
func CacheFor(w http.ResponseWriter, own bool, fresh, while time.Duration) string {
	respond.VaryByCaller(w)
	if own {
		return respond.OwnCache
	}
	return SharedCache(w, fresh, while)
}

// SharedCache is CacheFor for an answer that never depends on the caller.
func SharedCache(w http.ResponseWriter, fresh, while time.Duration) string {
	seconds := int64(fresh / time.Second)
	w.Header().Set("CDN-Cache-Control", fmt.Sprintf("public, max-age=%d, stale-while-revalidate=%d", seconds, int64(while/time.Second)))
	return fmt.Sprintf("public, max-age=0, must-revalidate, s-maxage=%d", seconds)
}

// staleLogEvery is the least time between two log lines about stale answers.
const staleLogEvery = time.Minute

// LogStale logs why an answer was stale, because readers hardly notice that it is. A nil why
// means that the answer was fresh.
func (s *Boards) LogStale(ctx context.Context, why error) {
	if why == nil {
		return
	}
	now := s.Now()
	last := s.saidStale.Load()
	if now.UnixNano()-last < int64(staleLogEvery) || !s.saidStale.CompareAndSwap(last, now.UnixNano()) {
		return
	}
	s.Log.LogAttrs(ctx, slog.LevelWarn, "Redis rejects requests: reads are served from memory and the archive",
		append(problem.RefusalAttrs(why, now), slog.String("error", why.Error()))...)
}

// degraded is the header that names the degradation measures that bear on an answer.
const degraded = "Framedle-Degraded"

// ShowDegraded sets that header, if any measure bears on the answer.
func ShowDegraded(w http.ResponseWriter, m budget.Measures) {
	if m != (budget.Measures{}) {
		w.Header().Set(degraded, m.String())
	}
}
