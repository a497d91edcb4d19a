package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/api/route"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/platform/budget"
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

// boards are the endpoints of boards.
type boards struct{ *API }

// routes are the routes of boards.
func (s boards) routes() []route.Route {
	return []route.Route{
		// Steady: 0 while it is younger than cache.
		{Function: "leaderboard", Pattern: "GET /v1/leaderboards/{mode}", Auth: gate.Public, Limit: limit.Boards,
			Price: look(boardPrice), Steady: 1, Serve: s.getPage},
		{Function: "leaderboard", Pattern: "GET /v1/leaderboards/{mode}/players/{player}", Auth: gate.PublicOrMe, Limit: limit.Boards,
			Price: look(countryCard), Steady: 3, Serve: s.getCard},
		{Function: "leaderboard", Pattern: "GET /v1/leaderboards/{mode}/around/{player}", Auth: gate.PublicOrMe, Limit: limit.Boards,
			Price: look(boardPrice), Steady: 1, Serve: s.getAround},
		{Function: "leaderboard", Pattern: "POST /v1/leaderboards/{mode}/lookup", Auth: gate.Public, Limit: limit.Boards, Body: gate.Required,
			Price: look(boardPrice), Steady: 1, Serve: s.postLookup},
		{Function: "leaderboard", Pattern: "GET /v1/leaderboards/{mode}/distribution", Auth: gate.Public, Limit: limit.Boards,
			Price: look(distributionPrice), Steady: 1, Serve: s.getDistribution},
		{Function: "leaderboard", Pattern: "GET /v1/leaderboards/{mode}/friends", Auth: gate.SignedIn, Limit: limit.Boards,
			Price: look(boardPrice), Steady: 2, Serve: s.getFriends},
	}
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

// pageAnswer is a page of one board.
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

// historyUnavailable marks a page whose board has expired from Redis and is kept nowhere
// else: an empty page does not mean that nobody played.
const historyUnavailable = "unavailable"

type entryAnswer struct {
	Rank    int64           `json:"rank"`
	Player  string          `json:"player"`
	Score   json.RawMessage `json:"score"`
	Values  json.RawMessage `json:"values,omitempty"`
	Name    string          `json:"name,omitempty"`
	Picture string          `json:"picture,omitempty"`
	Country string          `json:"country,omitempty"`
	Me      bool            `json:"me,omitempty"` // this row is the caller's own
}

func newPageAnswer(p game.Page, me string) pageAnswer {
	return pageAnswer{
		boardAnswer: newBoardAnswer(p.Board),
		Total:       p.Total, UpdatedAt: p.UpdatedAt.UTC().Format(time.RFC3339), Closed: p.Closed, Stale: p.Stale != nil,
		Entries: newEntries(p.Board, p.Entries, me), NextCursor: p.Next,
	}
}

// newEntries are the rows of a board with the caller me's own row marked. An empty me marks
// none.
func newEntries(b game.Board, entries []game.Entry, me string) []entryAnswer {
	rows := make([]entryAnswer, len(entries))
	for i, e := range entries {
		rows[i] = newEntry(b, e, me)
	}
	return rows
}

func newEntry(b game.Board, e game.Entry, me string) entryAnswer {
	return entryAnswer{
		Rank: e.Rank, Player: e.Player, Score: game.AppendScaled(nil, e.Score, b.Mode.Decimals), Values: b.Mode.FormatValues(e.Score),
		Name: e.Profile.Name, Picture: e.Profile.Picture, Country: e.Profile.Country,
		Me: e.Player == me && !b.OfTeams(), // on a board of teams the rows are groups
	}
}

// marked reports whether one of the rows is the caller's own.
func marked(rows []entryAnswer) bool {
	return slices.ContainsFunc(rows, func(row entryAnswer) bool { return row.Me })
}

// timed is an answer that says when it was read.
type timed interface{ readAt() string }

func (p pageAnswer) readAt() string { return p.UpdatedAt }

// writePage is respond.Public for an answer whose entity tag leaves out when it was read, so
// that the tag changes only with the standings.
func writePage(w http.ResponseWriter, r *gate.Request, cache string, page timed) error {
	body, err := json.Marshal(page)
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	before, after, _ := bytes.Cut(body, []byte(page.readAt()))
	respond.Tagged(w, r.Request, cache, body, respond.Tag(before, after))
	return nil
}

// getPage reads GET /v1/leaderboards/{mode}.
func (s boards) getPage(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	b, err := s.whichBoard(r, q)
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
	answer := newPageAnswer(page.Found, r.Caller.Player.ID)
	answer.History = history
	s.logStale(r.Context(), page.Found.Stale)
	showDegraded(w, page.Degraded)
	fresh, while := s.freshFor(page)
	return writePage(w, r, cacheFor(w, marked(answer.Entries), fresh, while), answer)
}

// whichRun reads which page of a board the request means.
func (s boards) whichRun(q *decode.Query, b game.Board) game.PageRequest {
	run := game.PageRequest{
		Limit:  q.Number("limit", defaultLimit, 1, maxLimit),
		Offset: q.Number("offset", 0, 0, maxOffset),
		Cursor: q.Text("cursor"),
	}
	if run.Cursor != "" {
		if run.Offset > 0 {
			q.Fault("offset", "use either a cursor or an offset")
		}
		if s.Boards.CheckCursor(b, run.Cursor) != nil {
			q.Fault("cursor", "the cursor is not one that this board gave out; begin again without one")
		}
	}
	return run
}

// closedCache is how long caches may keep a page of a closed period. It is short enough that
// a removal or an import shows within the hour.
const closedCache = time.Hour

// freshFor returns how long caches may keep a page, and how much longer they may serve it
// while they revalidate it. Both and the page's age in this process's memory add up to no
// more than the game allows.
func (s boards) freshFor(read leaderboard.Answer[game.Page]) (fresh, while time.Duration) {
	page := read.Found
	if leaderboard.NotWhole(page.Stale) {
		return 0, 0
	}
	if page.Stale != nil { // caches have to replace it as soon as Redis answers again
		return s.Game.Refresh, 0
	}
	oldest := read.Degraded.CacheFor(s.Game.Cache)
	if page.Closed {
		oldest = closedCache
	}
	while = min(s.Game.Refresh, oldest/2)
	age := min(max(s.Now().Sub(page.UpdatedAt), 0), oldest-while).Truncate(time.Second)
	return oldest - while - age, while
}

// cacheFor returns the Cache-Control header of an answer, which is the caller's own or the
// same for all callers. Browsers revalidate each time, so that no player sees the board as it
// was before their own score. The header that it sets is for content delivery networks only
// (RFC 9213): browsers would obey stale-while-revalidate too.
func cacheFor(w http.ResponseWriter, own bool, fresh, while time.Duration) string {
	respond.VaryByCaller(w)
	if own {
		return respond.OwnCache
	}
	return sharedCache(w, fresh, while)
}

// sharedCache is cacheFor for an answer that never depends on the caller.
func sharedCache(w http.ResponseWriter, fresh, while time.Duration) string {
	seconds := int64(fresh / time.Second)
	w.Header().Set("CDN-Cache-Control", fmt.Sprintf("public, max-age=%d, stale-while-revalidate=%d", seconds, int64(while/time.Second)))
	return fmt.Sprintf("public, max-age=0, must-revalidate, s-maxage=%d", seconds)
}

// staleLogEvery is the least time between two log lines about stale answers.
const staleLogEvery = time.Minute

// logStale logs why an answer was stale, because readers hardly notice that it is. A nil why
// means that the answer was fresh.
func (s boards) logStale(ctx context.Context, why error) {
	if why == nil {
		return
	}
	now := s.Now()
	last := s.saidStale.Load()
	if now.UnixNano()-last < int64(staleLogEvery) || !s.saidStale.CompareAndSwap(last, now.UnixNano()) {
		return
	}
	s.Log.LogAttrs(ctx, slog.LevelWarn, "Redis refuses: reads are answered from memory and from the history",
		append(problem.RefusalAttrs(why, now), slog.String("error", why.Error()))...)
}

// valueAnswer is one of the values that a mode ranks by.
type valueAnswer struct {
	Name     string          `json:"name"`
	Decimals int             `json:"decimals"`
	Min      json.RawMessage `json:"min"`
	Max      json.RawMessage `json:"max"`
	Order    game.Order      `json:"order"`
}

func newValueAnswers(m *game.Mode) []valueAnswer {
	var answers []valueAnswer
	for _, v := range m.Values {
		answers = append(answers, valueAnswer{
			v.Name, v.Decimals, json.RawMessage(v.Format(v.Min)), json.RawMessage(v.Format(v.Max)), v.Order,
		})
	}
	return answers
}

// degraded is the header that names the degradation measures that bear on an answer.
const degraded = "Framedle-Degraded"

// showDegraded sets that header, if any measure bears on the answer.
func showDegraded(w http.ResponseWriter, m budget.Measures) {
	if m != (budget.Measures{}) {
		w.Header().Set(degraded, m.String())
	}
}
