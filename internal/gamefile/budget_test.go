package gamefile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

const beforeBudget = "name: g\nmodes: {a: {max: 5}}\n"

func TestABudgetIsReadOrOff(t *testing.T) {
	for text, want := range map[string]game.Budget{
		"":                        {},
		"budget: off":             {},
		"budget: {month: 500000}": {Month: 500_000, Caches: 80, Refresh: 90, Features: 100},
		"budget:\n  month: 1000\n  degrade: {caches: 50%, refresh: off, features: 1000%}": {Month: 1000, Caches: 50, Features: 1000},
	} {
		g, err := parsed(t, "g.yaml", []byte(beforeBudget+text))
		require.NoError(t, err, text)
		require.Equal(t, want, g.Budget, text)
	}
}

func TestAWrongBudgetSaysWhatWouldBeRight(t *testing.T) {
	const percent = "; use a percentage, such as 80%, or off"
	for text, want := range map[string]string{
		"budget: 500000":               "g.yaml:3: budget: 500000 is a number; use keys and values",
		"budget: on":                   `g.yaml:3: budget: "on" is text; use keys and values`,
		"budget: {}":                   "g.yaml:3: budget.month: it is missing; use how many commands a month may cost, such as 500000, or budget: off",
		"budget: {month: 999}":         "g.yaml:3: budget.month: 999 is out of range; use 1000 to 1000000000000",
		"budget: {month: much}":        `g.yaml:3: budget.month: "much" is text; use a whole number`,
		"budget: {month: 1e6, day: 5}": "g.yaml:3: budget.day: the key is unknown; use month or degrade",
		"budget: {month: 5000, degrade: {caches: 80}}":      "g.yaml:3: budget.degrade.caches: 80 is a number" + percent,
		"budget: {month: 5000, degrade: {caches: eighty%}}": `g.yaml:3: budget.degrade.caches: "eighty%" is not a percentage` + percent,
		"budget: {month: 5000, degrade: {refresh: 0%}}":     `g.yaml:3: budget.degrade.refresh: "0%" is not a percentage` + percent,
		"budget: {month: 5000, degrade: {features: 1001%}}": "g.yaml:3: budget.degrade.features: 1001% is out of range; use 1% to 1000%, or off",
		"budget: {month: 5000, degrade: {scores: 99%}}":     "g.yaml:3: budget.degrade.scores: the key is unknown; use caches, refresh or features",
	} {
		_, err := parsed(t, "g.yaml", []byte(beforeBudget+text))
		require.EqualError(t, err, want, text)
	}
}
