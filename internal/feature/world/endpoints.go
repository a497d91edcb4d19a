package world

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/api"
	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/redis"
)

// Endpoints have the endpoint of boards that sites merge.
type Endpoints struct {
	*api.Boards
	World Reader
}

// worldPrice covers a page, the list of its sources, names from each other site, and the
// caller's card and place. Only callers with a token of their own make it cost that much.
const worldPrice = 6 + 2 + MostSites - 1 + api.CardPrice + 4

// Routes are the routes of boards of all sites.
func (s Endpoints) Routes() []gate.Route {
	return []gate.Route{
		{Function: "leaderboard", Pattern: "GET /v1/leaderboards/{mode}/world", Auth: gate.Public, Limit: limit.Boards,
			Price: gate.UpTo(worldPrice), Steady: 3, Serve: s.GetWorld},
	}
}

// worldAnswer is a page of a board of the world.
type worldAnswer struct {
	api.Board
	Total      int64        `json:"total"`
	Ranked     int64        `json:"ranked"`
	UpdatedAt  string       `json:"updated_at"`
	Closed     bool         `json:"closed"`
	Sites      []siteAnswer `json:"sites"`
	Entries    []api.Entry  `json:"entries"`
	NextCursor string       `json:"next_cursor,omitempty"`
	Me         *ownInWorld  `json:"me,omitempty"`
}

type siteAnswer struct {
	Name    string `json:"name"`
	Players int64  `json:"players"`
	AsOf    string `json:"as_of,omitempty"`
	Down    bool   `json:"down"`
}

// ownInWorld is the caller's place; a null rank means below the entries that are ranked.
type ownInWorld struct {
	Rank       *int64          `json:"rank"`
	Score      json.RawMessage `json:"score"`
	Values     json.RawMessage `json:"values,omitempty"`
	Percentile float64         `json:"percentile"`
	TopPercent float64         `json:"top_percent"`
}

// GetWorld reads GET /v1/leaderboards/{mode}/world.
func (s Endpoints) GetWorld(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	asked := api.Asked{Mode: r.PathValue("mode"), Period: q.Text("period"), Date: q.Text("date")}
	local, err := asked.In(s.Game, s.Now(), q.Fault)
	if err != nil {
		return err
	}
	if RulesOf(s.Game) == nil {
		return problem.New("not-found", "boards of several sites are off; set world in the game file")
	}
	if q.Sound() && !RulesOf(s.Game).Merges(local.Mode, local.Period.Kind()) {
		return problem.New("not-found", fmt.Sprintf("boards of %s for period %s are not merged; see world in the game file", local.Mode.Called(), local.Period.Kind()))
	}
	b := BoardOf(local.Mode, local.Period)
	request := s.WhichRun(q, b)
	if err := q.Done(); err != nil {
		return err
	}
	page, err := s.World.Page(r.Context(), b, request)
	if err != nil {
		return err
	}
	answer := s.newWorld(&page, r.Caller.Player.ID)
	fresh, while := s.FreshFor(leaderboard.Answer[game.Page]{Found: page.Page})
	if answer.Me, err = s.inWorld(r.Context(), local, &page, r.Caller.Player.ID); err != nil {
		return err
	}
	own := answer.Me != nil || api.HasOwnRow(answer.Entries)
	return respond.Public(w, r.Request, api.CacheFor(w, own, fresh, while), answer)
}

// newWorld is a page as the caller me may see it. Its updated_at is that of the oldest site
// that is not down.
func (s Endpoints) newWorld(page *Page, me string) worldAnswer {
	b, now := page.Board, s.Now()
	answer := worldAnswer{
		Board: api.NewBoard(b),
		Total: max(page.Players, page.Total), Ranked: page.Total, Closed: page.Closed, Sites: make([]siteAnswer, len(page.Sites)),
		Entries: api.NewEntries(b, page.Entries, me), NextCursor: page.Next,
	}
	oldest := now
	for i, site := range page.Sites {
		answer.Sites[i] = siteAnswer{Name: site.Name, Players: site.Players, Down: now.Sub(site.AsOf) > Down}
		if !site.AsOf.IsZero() {
			answer.Sites[i].AsOf = site.AsOf.Format(time.RFC3339)
		}
		if !answer.Sites[i].Down && site.AsOf.Before(oldest) {
			oldest = site.AsOf
		}
	}
	slices.SortFunc(answer.Sites, func(a, b siteAnswer) int { return strings.Compare(a.Name, b.Name) })
	answer.UpdatedAt = oldest.UTC().Format(time.RFC3339)
	return answer
}

// inWorld finds the caller's place; nil: the caller is unknown, or has no entry.
func (s Endpoints) inWorld(ctx context.Context, local game.Board, page *Page, me string) (*ownInWorld, error) {
	if me == "" || len(page.Sites) == 0 { // not merged yet
		return nil, nil
	}
	var here redis.Place
	read, err := s.Reads.Card(ctx, local, me)
	switch {
	case err == nil:
		here = redis.Place{Stored: read.Found.Stored, Found: true}
	case !errors.Is(err, leaderboard.ErrNotOnBoard):
		return nil, err
	}
	current, ok, err := s.World.PlayerPlace(ctx, page.Board, page, me, here)
	if err != nil || !ok {
		return nil, err
	}
	total := max(page.Players, page.Total, current.Better+1)
	answer := &ownInWorld{
		Score: json.RawMessage(local.Mode.FormatScore(current.Score)), Values: local.Mode.FormatValues(current.Score),
		Percentile: game.Percentile(current.Better+1, total), TopPercent: game.TopPercent(current.Better+1, total),
	}
	if current.Rank > 0 {
		answer.Rank = &current.Rank
	}
	return answer, nil
}
