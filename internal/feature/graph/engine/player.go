package engine

import (
	"context"
	"fmt"
	"sync"

	graphql "github.com/graph-gophers/graphql-go"

	"github.com/framedle/leaderboards/internal/feature/graph"
	"github.com/framedle/leaderboards/internal/game"
)

// list has the players who are together in an answer. A read for one of them is made for all
// of them at once.
type list struct {
	players []string
	groups  bool // the entries are groups, which are on no other board

	mu     sync.Mutex
	looked map[string]*lookup // by the board's key
}

// lookup is the look-up of a list on a board.
type lookup struct {
	once    sync.Once
	entries map[string]graph.Entry
	err     error
}

func newList(players []string, groups bool) *list {
	return &list{players: players, groups: groups, looked: map[string]*lookup{}}
}

// entriesOn looks the list's players up on a board, once.
func (l *list) entriesOn(ctx context.Context, b game.Board) (map[string]graph.Entry, error) {
	l.mu.Lock()
	found, ok := l.looked[b.Key]
	if !ok {
		found = new(lookup)
		l.looked[b.Key] = found
	}
	l.mu.Unlock()
	found.once.Do(func() {
		var entries []graph.Entry
		entries, found.err = readsOf(ctx).Lookup(ctx, b, l.players)
		found.entries = make(map[string]graph.Entry, len(entries))
		for _, e := range entries {
			found.entries[e.Player] = e
		}
	})
	return found.entries, found.err
}

// player resolves a player of a list.
type player struct {
	id, name, picture, country string
	list                       *list
}

func (p *player) ID() graphql.ID   { return graphql.ID(p.id) }
func (p *player) Name() *string    { return shown(p.name) }
func (p *player) Picture() *string { return shown(p.picture) }
func (p *player) Country() *string { return shown(p.country) }

func (p *player) Card(ctx context.Context, a boardArgs) (*listCard, error) {
	b, err := a.board(ctx, false)
	if err != nil {
		return nil, err
	}
	if p.list.groups || b.OfTeams() {
		return nil, graph.NotValid("groups have no cards next to players: use card(player: ID) on the board of groups")
	}
	found, err := p.list.entriesOn(ctx, b)
	if err != nil {
		return nil, err
	}
	e, ok := found[p.id]
	if !ok {
		return nil, nil
	}
	return &listCard{e}, nil
}

// listCard resolves a player's entry on a board, ranked among a list.
type listCard struct{ row graph.Entry }

func (c *listCard) Rank() raw    { return whole(c.row.Rank) }
func (c *listCard) Score() raw   { return raw(c.row.Score) }
func (c *listCard) Values() *raw { return maybe(c.row.Values) }

// named makes players from their ids.
func named(ctx context.Context, ids []string) ([]*player, error) {
	names, err := readsOf(ctx).Names(ctx, ids)
	if err != nil {
		return nil, err
	}
	l, players := newList(ids, false), make([]*player, len(ids))
	for i, id := range ids {
		p := names[id]
		players[i] = &player{id, p.Name, p.Picture, p.Country, l}
	}
	return players, nil
}

func (*root) Players(ctx context.Context, a struct{ IDs []graphql.ID }) (*[]*player, error) {
	if len(a.IDs) == 0 {
		return nil, graph.NotValid("ids is empty; send 1 or more")
	}
	if len(a.IDs) > graph.MostRows {
		return nil, graph.TooMuch(fmt.Sprintf("ids has %d players; at most %d are allowed", len(a.IDs), graph.MostRows))
	}
	ids, seen := make([]string, len(a.IDs)), map[string]bool{}
	for i, id := range a.IDs {
		if ids[i] = string(id); seen[ids[i]] {
			return nil, graph.NotValid(fmt.Sprintf("ids has %.70q twice", ids[i]))
		}
		seen[ids[i]] = true
	}
	players, err := named(ctx, ids)
	if err != nil {
		return nil, err
	}
	return &players, nil
}
