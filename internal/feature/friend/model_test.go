package friend_test

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/feature/friend"
)

// pair is two players in one order.
type pair struct{ one, other string }

// model is the plain meaning of everything between players.
type model struct {
	friends map[pair]bool // both orders
	asks    map[pair]bool // one asks the other
	blocks  map[pair]bool // one blocks the other
	uses    map[string]int
	owner   map[string]string
}

func newModel() *model {
	return &model{map[pair]bool{}, map[pair]bool{}, map[pair]bool{}, map[string]int{}, map[string]string{}}
}

func (m *model) clone() *model {
	return &model{maps.Clone(m.friends), maps.Clone(m.asks), maps.Clone(m.blocks), maps.Clone(m.uses), m.owner}
}

func put(set map[pair]bool, p pair, in bool) (changed bool) {
	changed = set[p] != in
	if delete(set, p); in {
		set[p] = true
	}
	return changed
}

func (m *model) befriend(p, back pair) friend.Outcome {
	m.friends[p], m.friends[back] = true, true
	delete(m.asks, p)
	delete(m.asks, back)
	return friend.Friends
}

// act is one action, as the package's own words have it.
func (m *model) act(a act) friend.Outcome {
	p, back := pair{a.player, a.other}, pair{a.other, a.player}
	if a.code != "" {
		return m.redeem(a)
	}
	changed := false
	switch a.action {
	case friend.Ask:
		switch {
		case m.blocks[p]:
			return friend.Blocking
		case m.friends[p]:
			return friend.Friends
		case m.asks[p]:
			return friend.Same
		case m.asks[back]:
			return m.befriend(p, back)
		}
		m.asks[p] = true
		return friend.Asked
	case friend.Accept:
		switch {
		case m.friends[p]:
			return friend.Friends
		case !m.asks[back] || m.blocks[p]:
			return friend.None
		}
		return m.befriend(p, back)
	case friend.Drop:
		changed = put(m.asks, p, false)
		if !m.blocks[p] {
			changed = put(m.asks, back, false) || changed
		}
	case friend.Remove:
		changed = put(m.friends, p, false)
		put(m.friends, back, false)
	case friend.Block:
		if !m.blocks[p] {
			changed = true
			m.blocks[p] = true
			for _, set := range []map[pair]bool{m.friends, m.asks} {
				delete(set, p)
				delete(set, back)
			}
		}
	case friend.Unblock:
		changed = put(m.blocks, p, false)
	}
	if changed {
		return friend.Done
	}
	return friend.Same
}

func (m *model) redeem(a act) friend.Outcome {
	owner := m.owner[a.code]
	p, back := pair{a.player, owner}, pair{owner, a.player}
	switch {
	case owner == a.player:
		return friend.None
	case m.friends[p]:
		return friend.Friends
	case m.uses[a.code] == 0:
		return friend.None
	case m.blocks[p]:
		return friend.Blocking
	case m.blocks[back]:
		return friend.None
	}
	m.uses[a.code]--
	return m.befriend(p, back)
}

// act is something a player does.
type act struct {
	action        friend.Action
	player, other string
	code          string // an invite to redeem, instead of an action
}

var (
	actions = []friend.Action{friend.Ask, friend.Accept, friend.Drop, friend.Remove, friend.Block, friend.Unblock}
	cast    = []string{"user_Z", "user_a", "user_b"} // ids are ordered by bytes
)

// explained returns the states that are possible after the acts: for each order of the acts
// that gives the outcomes and the state that were seen, the state it leads to. There can be
// several: neither outcomes nor state show how often an invite may still be used.
func (m *model) explained(acts []act, outcomes []friend.Outcome, same func(*model) bool) (ends []*model) {
	if len(acts) == 0 && same(m) {
		return []*model{m}
	}
	for i := range acts {
		next := m.clone()
		if next.act(acts[i]) != outcomes[i] {
			continue
		}
		rest, left := slices.Delete(slices.Clone(acts), i, i+1), slices.Delete(slices.Clone(outcomes), i, i+1)
		for _, end := range next.explained(rest, left, same) {
			ends = addModel(ends, end)
		}
	}
	return ends
}

func addModel(all []*model, m *model) []*model {
	if slices.ContainsFunc(all, func(other *model) bool { return reflect.DeepEqual(other, m) }) {
		return all
	}
	return append(all, m)
}

func others(set map[pair]bool, of func(pair) (string, bool)) []string {
	var names []string
	for p := range set {
		if name, ok := of(p); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// view is what one player may see.
type view struct{ friends, received, sent, blocked []string }

func (m *model) view(player string) view {
	mine := func(p pair) (string, bool) { return p.other, p.one == player }
	return view{
		friends: others(m.friends, mine), sent: others(m.asks, mine), blocked: others(m.blocks, mine),
		received: others(m.asks, func(p pair) (string, bool) {
			return p.one, p.other == player && !m.blocks[pair{player, p.one}]
		}),
	}
}

func names(relations []friend.Relation) []string {
	var all []string
	for _, r := range relations {
		all = append(all, r.Player)
	}
	slices.Sort(all)
	return all
}

// If players act at the same time, the outcomes and the resulting state equal those of some
// order of doing it one after the other; and boards and duels see the same.
func TestActsAtOnceAreAsIfOneAfterTheOther(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	round := 0
	rapid.Check(t, func(r *rapid.T) {
		round++
		name := func(label string) string { return fmt.Sprintf("%s_%d", rapid.SampledFrom(cast).Draw(r, label), round) }
		models := []*model{newModel()}
		var codes []string
		for range rapid.IntRange(1, 8).Draw(r, "steps") {
			if rapid.IntRange(0, 4).Draw(r, "invite") == 0 {
				owner, uses := name("owner"), rapid.IntRange(1, 2).Draw(r, "uses")
				code, _, err := k.Invite(ctx, owner, uses)
				require.NoError(r, err)
				codes = append(codes, code)
				for _, m := range models {
					m.owner[code], m.uses[code] = owner, uses
				}
			}
			acts := make([]act, rapid.IntRange(1, 4).Draw(r, "at once"))
			for i := range acts {
				acts[i] = act{action: rapid.SampledFrom(actions).Draw(r, "action"), player: name("player"), other: name("other")}
				if acts[i].player == acts[i].other {
					acts[i].other = fmt.Sprintf("user_c_%d", round)
				}
				if len(codes) > 0 && rapid.IntRange(0, 3).Draw(r, "redeem") == 0 {
					acts[i].code = rapid.SampledFrom(codes).Draw(r, "code")
				}
			}
			outcomes, errs := make([]friend.Outcome, len(acts)), make([]error, len(acts))
			var done sync.WaitGroup
			for i, a := range acts {
				done.Go(func() {
					if a.code != "" {
						outcomes[i], _, errs[i] = k.Redeem(ctx, a.player, a.code)
						return
					}
					outcomes[i], errs[i] = k.Act(ctx, a.action, a.player, a.other)
				})
			}
			done.Wait()
			for _, err := range errs {
				require.NoError(r, err)
			}
			players := []string{fmt.Sprintf("user_c_%d", round)}
			for _, id := range cast {
				players = append(players, fmt.Sprintf("%s_%d", id, round))
			}
			seen := map[string]view{}
			for _, player := range players {
				rel, err := k.Relations(ctx, player)
				require.NoError(r, err)
				require.False(r, rel.Stale)
				seen[player] = view{names(rel.Friends), names(rel.Received), names(rel.Sent), rel.Blocked}
			}
			var ends []*model
			for _, m := range models {
				for _, end := range m.explained(acts, outcomes, func(m *model) bool {
					return !slices.ContainsFunc(players, func(player string) bool { return fmt.Sprint(m.view(player)) != fmt.Sprint(seen[player]) })
				}) {
					ends = addModel(ends, end)
				}
			}
			require.NotEmpty(r, ends, "no order explains %+v -> %v, then %+v", acts, outcomes, seen)
			models = ends
			m := models[0] // friends and blocks are the same in all: they have been seen
			for _, player := range players {
				require.ElementsMatch(r, m.view(player).friends, k.listed(r, player), player)
				for _, other := range players {
					err := k.lists.MayMeet(ctx, player, other)
					require.Equal(r, m.blocks[pair{player, other}] || m.blocks[pair{other, player}], err == friend.ErrBlocked, "%v", err)
				}
			}
		}
	})
}
