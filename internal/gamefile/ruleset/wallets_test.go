package ruleset_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
)

func TestWhatCurrenciesMayBecome(t *testing.T) {
	of := func(text string) ruleset.Rules {
		g, err := gamefile.Parse("g.yaml", []byte("name: g\nmodes: {a: {max: 5}, b: {max: 5}}\n"+text))
		require.NoError(t, err)
		return ruleset.Of(g)
	}
	none, coins, dearer := of(""), of("currencies: {coins: {a: 1}}"), of("currencies: {coins: {a: 1, b: 2}}")
	require.NotContains(t, none.Stored(), "currencies", "games without any keep the rules they had")
	diff := func(old, now ruleset.Rules) (effects []ruleset.Effect, paths []string) {
		for _, c := range ruleset.Diff(old, now, game.NewDate(2026, 3, 1)) {
			effects, paths = append(effects, c.Effect), append(paths, c.Path+" "+c.Old+" -> "+c.New)
		}
		return effects, paths
	}
	for _, one := range []struct {
		old, now ruleset.Rules
		effect   ruleset.Effect
		path     string
	}{
		{none, coins, ruleset.Safe, "currencies.coins  -> a: 1"},
		{coins, dearer, ruleset.Forward, "currencies.coins a: 1 -> a: 1, b: 2"},
		{coins, none, ruleset.Forward, "currencies.coins a: 1 -> "},
	} {
		effects, paths := diff(one.old, one.now)
		require.Equal(t, []ruleset.Effect{one.effect}, effects)
		require.Equal(t, []string{one.path}, paths)
	}
	effects, _ := diff(coins, coins)
	require.Empty(t, effects)
}
