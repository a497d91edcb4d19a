package soak

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

func TestTheQuarterHasEveryPolicyOrderAggregateAndTieStyle(t *testing.T) {
	g, err := Quarter()
	require.NoError(t, err)
	seen := map[any]int{}
	ticks := map[time.Duration]bool{}
	for _, m := range g.Modes {
		for _, choice := range []any{m.Policy, m.Order, m.Aggregate, m.Ties, [2]any{m.Policy, m.Ties}, [2]any{m.Policy, m.Aggregate}} {
			seen[choice]++
		}
		r := newRule(m, g.Grace)
		require.Equal(t, m.Resolution(), r.tick, m.Name)
		if r.exact {
			ticks[r.tick] = true
		}
	}
	require.Len(t, g.Modes, 24)
	require.Len(t, seen, 4+2+4+2+4*2+4*4)
	require.Len(t, ticks, 1, "settled relies on it")
}

func TestSettledIsAMomentSoon(t *testing.T) {
	g, err := Quarter()
	require.NoError(t, err)
	r := &run{model: &model{}}
	for _, m := range g.Modes {
		r.model.rules = append(r.model.rules, newRule(m, g.Grace))
	}
	for n := range 400 {
		d := game.NewDate(2026, time.January, 1).AddDays(n)
		start := d.Midnight().Add(time.Duration(n) * time.Minute)
		require.Less(t, r.settled(start, d, d.AddDays(-1)).Sub(start), 2*r.model.rules[0].tick, d)
	}
}
