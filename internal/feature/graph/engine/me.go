package engine

import (
	"context"

	graphql "github.com/graph-gophers/graphql-go"

	"github.com/framedle/leaderboards/internal/feature/graph"
)

func (*root) Me(ctx context.Context) (*me, error) {
	id, err := readsOf(ctx).Me()
	if err != nil {
		return nil, err
	}
	return &me{id}, nil
}

// me resolves the caller.
type me struct{ id string }

func (m *me) Player(ctx context.Context) (*player, error) {
	players, err := named(ctx, []string{m.id})
	if err != nil {
		return nil, err
	}
	return players[0], nil
}

func (m *me) Standing(ctx context.Context) (*standing, error) {
	found, err := readsOf(ctx).Standing(ctx, m.id)
	if err != nil {
		return nil, err
	}
	return &standing{found}, nil
}

func (m *me) Friends(ctx context.Context, a struct{ First int32 }) (*[]*friend, error) {
	first, err := rows(a.First, graph.MostRows)
	if err != nil {
		return nil, err
	}
	id, err := readsOf(ctx).SignedIn()
	if err != nil {
		return nil, err
	}
	found, err := readsOf(ctx).Friends(ctx, id, first)
	if err != nil {
		return nil, err
	}
	players := make([]string, len(found))
	for i, f := range found {
		players[i] = f.Player
	}
	friends, l := make([]*friend, len(found)), newList(players, false)
	for i, f := range found {
		friends[i] = &friend{f, l}
	}
	return &friends, nil
}

// friend resolves a friend of the caller.
type friend struct {
	is   graph.Friend
	list *list
}

func (f *friend) Since() *string { return shown(f.is.Since) }
func (f *friend) Player() *player {
	return &player{f.is.Player, f.is.Name, f.is.Picture, f.is.Country, f.list}
}

func (m *me) Duels(ctx context.Context, a struct{ First int32 }) (*[]*duel, error) {
	first, err := rows(a.First, graph.MostDuels)
	if err != nil {
		return nil, err
	}
	id, err := readsOf(ctx).SignedIn()
	if err != nil {
		return nil, err
	}
	found, err := readsOf(ctx).Duels(ctx, id, first)
	if err != nil {
		return nil, err
	}
	duels := make([]*duel, len(found))
	for i, d := range found {
		duels[i] = &duel{d}
	}
	return &duels, nil
}

func (*root) Duel(ctx context.Context, a struct{ ID graphql.ID }) (*duel, error) {
	player, err := readsOf(ctx).SignedIn()
	if err != nil {
		return nil, err
	}
	found, err := readsOf(ctx).Duel(ctx, string(a.ID), player)
	if err != nil {
		return nil, err
	}
	return &duel{found}, nil
}
