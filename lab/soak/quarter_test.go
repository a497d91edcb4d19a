package soak

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/lab/model"
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
		r := model.NewRule(m, g.Grace)
		require.Equal(t, m.Resolution(), r.Tick, m.Name)
		if r.Exact {
			ticks[r.Tick] = true
		}
	}
	require.Len(t, g.Modes, 24)
	require.Len(t, seen, 4+2+4+2+4*2+4*4)
	require.Len(t, ticks, 1, "settled relies on it")
}

func TestSettledIsAMomentSoon(t *testing.T) {
	g, err := Quarter()
	require.NoError(t, err)
	r := &run{model: model.New(rulesOf(g), nil)}
	for n := range 400 {
		d := game.NewDate(2026, time.January, 1).AddDays(n)
		start := d.Midnight().Add(time.Duration(n) * time.Minute)
		require.Less(t, r.settled(start, d, d.AddDays(-1)).Sub(start), 2*r.model.Rules[0].Tick, d)
	}
}
