package engine

import (
	"context"
	"strings"

	graphql "github.com/graph-gophers/graphql-go"

	"github.com/framedle/leaderboards/internal/feature/graph"
	"github.com/framedle/leaderboards/internal/game"
)

// root resolves Query.
type root struct{}

// boardArgs are the arguments that choose a board.
type boardArgs struct {
	Mode                string
	Period, Date, Scope *string
}

// board finds the chosen board. OfMe says that the caller will be looked for on it.
func (a boardArgs) board(ctx context.Context, ofMe bool) (game.Board, error) {
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	return readsOf(ctx).Board(a.Mode, strings.ToLower(text(a.Period)), text(a.Date), text(a.Scope), ofMe)
}

func (*root) Board(ctx context.Context, a struct {
	boardArgs
	First int32
	After *string
}) (*board, error) {
	first, err := rows(a.First, graph.MostRows)
	if err != nil {
		return nil, err
	}
	b, err := a.board(ctx, false)
	if err != nil {
		return nil, err
	}
	after := ""
	if a.After != nil {
		after = *a.After
	}
	page, err := readsOf(ctx).Page(ctx, b, first, after)
	if err != nil {
		return nil, err
	}
	players := make([]string, len(page.Entries))
	for i, e := range page.Entries {
		players[i] = e.Player
	}
	return &board{page, newList(players, b.OfTeams())}, nil
}

// board resolves a page of a board.
type board struct {
	page graph.Page
	list *list
}

func (b *board) Mode() string      { return b.page.Mode }
func (b *board) Period() string    { return strings.ToUpper(b.page.Period) }
func (b *board) Key() string       { return b.page.Key }
func (b *board) Scope() string     { return b.page.Scope }
func (b *board) Total() raw        { return whole(b.page.Total) }
func (b *board) UpdatedAt() string { return b.page.UpdatedAt }
func (b *board) Closed() bool      { return b.page.Closed }
func (b *board) Stale() bool       { return b.page.Stale }
func (b *board) Cursor() *string   { return shown(b.page.NextCursor) }

func (b *board) Entries() []*entry {
	entries := make([]*entry, len(b.page.Entries))
	for i, e := range b.page.Entries {
		entries[i] = &entry{e, b.list}
	}
	return entries
}

// entry resolves a row of a board.
type entry struct {
	row  graph.Entry
	list *list
}

func (e *entry) Rank() raw    { return whole(e.row.Rank) }
func (e *entry) Score() raw   { return raw(e.row.Score) }
func (e *entry) Values() *raw { return maybe(e.row.Values) }
func (e *entry) Me() bool     { return e.row.Me }
func (e *entry) Player() *player {
	return &player{e.row.Player, e.row.Name, e.row.Picture, e.row.Country, e.list}
}

func (*root) Card(ctx context.Context, a struct {
	boardArgs
	Player graphql.ID
}) (*card, error) {
	id := string(a.Player)
	b, err := a.board(ctx, id == "me")
	if err != nil {
		return nil, err
	}
	if id == "me" {
		id, err = readsOf(ctx).Me()
	} else if err = game.ValidPlayer(id); err != nil {
		err = graph.NotValid("player: " + err.Error())
	}
	if err != nil {
		return nil, err
	}
	found, err := readsOf(ctx).Card(ctx, b, id)
	if err != nil || found == nil {
		return nil, err
	}
	return &card{*found, newList([]string{id}, b.OfTeams())}, nil
}

// card resolves a player's card.
type card struct {
	is   graph.Card
	list *list
}

func (c *card) Mode() string       { return c.is.Mode }
func (c *card) Period() string     { return strings.ToUpper(c.is.Period) }
func (c *card) Key() string        { return c.is.Key }
func (c *card) Scope() string      { return c.is.Scope }
func (c *card) Rank() raw          { return required(maybeWhole(c.is.Rank)) }
func (c *card) Total() raw         { return whole(c.is.Total) }
func (c *card) Percentile() raw    { return required(maybeDecimal(c.is.Percentile)) }
func (c *card) TopPercent() raw    { return required(maybeDecimal(c.is.TopPercent)) }
func (c *card) PreviousRank() *raw { return maybeWhole(c.is.PreviousRank) }
func (c *card) RankChange() *raw   { return maybeWhole(c.is.RankChange) }
func (c *card) Score() raw         { return raw(c.is.Score) }
func (c *card) Values() *raw       { return maybe(c.is.Values) }
func (c *card) Details() *raw      { return maybe(c.is.Details) }
func (c *card) Stale() bool        { return c.is.Stale }
func (c *card) Player() *player {
	return &player{id: c.list.players[0], name: c.is.Name, picture: c.is.Picture, country: c.is.Country, list: c.list}
}
