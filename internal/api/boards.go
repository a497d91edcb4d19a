package api

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/framedle/leaderboards/internal/board"
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

type cardAnswer struct {
	Mode         string          `json:"mode"`
	Period       string          `json:"period"`
	Key          string          `json:"key"`
	Scope        string          `json:"scope"`
	entryAnswer                  // rank, player, score, name, picture, country
	Total        int64           `json:"total"`
	Percentile   float64         `json:"percentile"`
	TopPercent   float64         `json:"top_percent"`
	PreviousRank *int64          `json:"previous_rank"`
	RankChange   *int64          `json:"rank_change"`
	Details      json.RawMessage `json:"details,omitempty"`
	Stale        bool            `json:"stale,omitempty"`
	UpdatedAt    string          `json:"updated_at,omitempty"` // where it is stale
}

func newPageAnswer(p board.Page) pageAnswer {
	return pageAnswer{
		Mode: p.Board.Mode.Called(), Period: p.Board.Period.Kind().String(), Key: p.Board.Period.Key(),
		Scope: p.Board.Scope.String(), Total: p.Total, UpdatedAt: p.UpdatedAt.UTC().Format(time.RFC3339),
		Closed: p.Closed, Stale: p.Stale != nil, Entries: newEntries(p.Board.Mode, p.Entries), NextCursor: p.Next,
	}
}

func newEntries(m *game.Mode, entries []board.Entry) []entryAnswer {
	rows := make([]entryAnswer, len(entries))
	for i, e := range entries {
		rows[i] = newEntry(m, e)
	}
	return rows
}

func newEntry(m *game.Mode, e board.Entry) entryAnswer {
	return entryAnswer{
		Rank: e.Rank, Player: e.Player, Score: json.RawMessage(m.FormatScore(e.Score)),
		Name: e.Profile.Name, Picture: e.Profile.Picture, Country: e.Profile.Country,
	}
}

// getPage reads GET /v1/leaderboards/{mode}.
func (a *API) getPage(w http.ResponseWriter, r *http.Request) error {
	q := newQuery(r)
	b, err := a.board(r, q)
	if err != nil {
		return err
	}
	request := board.PageRequest{
		Limit:  q.number("limit", defaultLimit, 1, maxLimit),
		Offset: q.number("offset", 0, 0, maxOffset),
		Cursor: q.text("cursor"),
	}
	if request.Cursor != "" {
		if request.Offset > 0 {
			q.fault("offset", "use either a cursor or an offset")
		}
		if a.Store.CheckCursor(b, request.Cursor) != nil {
			q.fault("cursor", "the cursor is not one that this board gave out; begin again without one")
		}
	}
	if err := q.done(); err != nil {
		return err
	}
	page, err := a.readPage(r.Context(), b, request)
	if err != nil {
		return err
	}
	answer := newPageAnswer(page)
	if a.History == nil && a.Store.Left(b) {
		answer.History = historyUnavailable
	}
	a.tellStale(r.Context(), page.Stale)
	m := a.Store.Frugal(b)
	tellDegraded(w, budget.Measures{Caches: m.Caches, Refresh: m.Refresh})
	return writePage(w, r, a.cachePage(page), answer)
}

// getCard reads GET /v1/leaderboards/{mode}/players/{player}.
func (a *API) getCard(w http.ResponseWriter, r *http.Request) error {
	q := newQuery(r)
	player, cache, err := a.playerOf(r, q)
	if err != nil {
		return err
	}
	b, err := a.board(r, q)
	if err != nil {
		return err
	}
	if err := q.done(); err != nil {
		return err
	}
	card, err := a.readCard(r.Context(), b, player)
	if err != nil {
		return err
	}
	answer := cardAnswer{
		Mode: b.Mode.Called(), Period: b.Period.Kind().String(), Key: b.Period.Key(), Scope: b.Scope.String(),
		entryAnswer: newEntry(b.Mode, card.Entry),
		Total:       card.Total,
		Percentile:  game.Percentile(card.Rank, card.Total),
		TopPercent:  game.TopPercent(card.Rank, card.Total),
		Details:     card.Details,
	}
	if card.Stale != nil {
		a.tellStale(r.Context(), card.Stale)
		answer.Stale, answer.UpdatedAt = true, card.UpdatedAt.UTC().Format(time.RFC3339)
	}
	if card.Profile.Hidden && r.PathValue("player") != "me" {
		answer.Details = nil
	}
	if card.PreviousRank > 0 {
		change := card.PreviousRank - card.Rank
		answer.PreviousRank, answer.RankChange = &card.PreviousRank, &change
	}
	m := a.Store.Frugal(b)
	tellDegraded(w, budget.Measures{Refresh: m.Refresh, Features: m.Features})
	return writePublic(w, r, cache, answer)
}

// getAround reads GET /v1/leaderboards/{mode}/around/{player}.
func (a *API) getAround(w http.ResponseWriter, r *http.Request) error {
	q := newQuery(r)
	player, cache, err := a.playerOf(r, q)
	if err != nil {
		return err
	}
	b, err := a.board(r, q)
	if err != nil {
		return err
	}
	reach := q.number("range", defaultRange, 1, maxRange)
	if err := q.done(); err != nil {
		return err
	}
	page, err := a.readAround(r.Context(), b, player, reach)
	if err != nil {
		return err
	}
	a.tellStale(r.Context(), page.Stale)
	tellDegraded(w, budget.Measures{Refresh: a.Store.Frugal(b).Refresh})
	return writePage(w, r, cache, newPageAnswer(page))
}

// lookupAnswer holds the players that have an entry, ranked among themselves.
type lookupAnswer struct {
	Mode    string        `json:"mode"`
	Period  string        `json:"period"`
	Key     string        `json:"key"`
	Scope   string        `json:"scope"`
	Entries []entryAnswer `json:"entries"`
}

// postLookup reads POST /v1/leaderboards/{mode}/lookup.
func (a *API) postLookup(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r, maxBody)
	if err != nil {
		return err
	}
	q := newQuery(r)
	b, err := a.board(r, q)
	if err != nil {
		return err
	}
	if err := q.done(); err != nil {
		return err
	}
	f := object(body, "")
	players, ok := f.texts("players", true, maxLookup)
	if ok && len(players) == 0 {
		f.fault("players", "this is empty; send 1 to 500 players")
	}
	seen := make(map[string]bool, len(players))
	distinct := players[:0]
	for i, id := range players {
		if err := game.ValidPlayer(id); err != nil {
			f.itemFault("players", i, err.Error())
			break
		}
		if !seen[id] {
			seen[id] = true
			distinct = append(distinct, id)
		}
	}
	if err := f.done(); err != nil {
		return err
	}
	entries, err := a.readLookup(r.Context(), b, distinct)
	if err != nil {
		return err
	}
	tellDegraded(w, budget.Measures{Refresh: a.Store.Frugal(b).Refresh})
	return writeJSON(w, r, http.StatusOK, "no-store", lookupAnswer{
		Mode: b.Mode.Called(), Period: b.Period.Kind().String(), Key: b.Period.Key(), Scope: b.Scope.String(),
		Entries: newEntries(b.Mode, entries),
	})
}

// board reads which board is meant. Only an unknown mode, and a date in no season, are
// reported at once; other faults are gathered in q.
func (a *API) board(r *http.Request, q *query) (board.Board, error) {
	name := r.PathValue("mode")
	mode, ok := a.Store.ModeNamed(name)
	if !ok {
		return board.Board{}, unknownMode(name)
	}
	whole := name == game.XPMode || name == game.DuelMode
	kind, scope := game.Day, game.Scope{}
	if whole {
		kind = game.AllTime
	}
	var err error
	if text := q.text("period"); text != "" {
		if kind, err = game.ParsePeriodKind(text); err != nil {
			q.fault("period", err.Error())
		} else if whole && kind != game.AllTime {
			q.fault("period", "the "+name+" board has the period alltime only")
		} else if kind == game.Season && len(a.Game.Seasons) == 0 {
			q.fault("period", "the game has no seasons")
		}
	}
	date := a.Game.Today(a.Now())
	if text := q.text("date"); text != "" {
		if date, err = game.ParseDate(text); err != nil {
			q.fault("date", err.Error())
		}
	}
	if text := q.text("scope"); text != "" {
		if scope, err = game.ParseScope(text); err != nil {
			q.fault("scope", err.Error())
		} else if scope.Kind() == game.Teams && r.PathValue("player") == "me" {
			q.fault("scope", "this board ranks groups; put the group's id in the place of me")
		} else if !mode.HasScope(scope.Kind()) {
			q.fault("scope", "the mode "+name+" keeps no boards by "+scope.Kind().String())
		}
	}
	period, ok := a.Game.PeriodOf(kind, date)
	if !ok && len(q.faults) == 0 {
		return board.Board{}, a.unknownSeason(date)
	}
	if scope.Kind() == game.Teams && len(q.faults) == 0 {
		if err := costsMore(r.Context(), ofGroups); err != nil {
			return board.Board{}, err
		}
	}
	return a.Store.Board(mode, period, scope), nil
}

// playerOf reads whom the path names; me is the caller.
func (a *API) playerOf(r *http.Request, q *query) (player, cache string, err error) {
	player = r.PathValue("player")
	if player == "me" {
		me, err := a.authenticateAnyone(r)
		return me.ID, "private, no-cache", err
	}
	if err := game.ValidPlayer(player); err != nil {
		q.path("player", err.Error())
	}
	return player, "public, no-cache", nil
}
