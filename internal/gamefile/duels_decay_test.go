package gamefile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
)

func decayingDuels(t *testing.T, rules string) (*game.RatingDecay, error) {
	g, err := parsed(t, "game.yaml", []byte("name: t\nmodes: {m: {max: 10}}\nduels:\n  "+rules+"\n"))
	if err != nil {
		return nil, err
	}
	return duel.RulesOf(g).Decay, nil
}

func TestWhatIdleWeeksCostIsRead(t *testing.T) {
	for text, want := range map[string]*game.RatingDecay{
		"k: 32":      nil,
		"decay: off": nil,
		"decay: {after: 8, points: 25, floor: 1500}": {After: 8, Points: 25, Floor: 1500},
		"decay: {points: 10}":                        {After: 4, Points: 10, Floor: 1000},
		"{start: 1200, decay: {points: 1}}":          {After: 4, Points: 1, Floor: 1200},
		"decay: {after: 0, points: 1000, floor: 0}":  {Points: 1000},
	} {
		rule, err := decayingDuels(t, text)
		require.NoError(t, err, text)
		require.Equal(t, want, rule, text)
	}
}

func TestWhatIdleWeeksMayNotCostIsRefused(t *testing.T) {
	for text, says := range map[string]string{
		"decay: on":                         `duels.decay: "on" is not a decay; use off`,
		"decay: {after: 4}":                 "duels.decay.points: it is missing; use what an idle week costs, as 10",
		"decay: {points: 0}":                "duels.decay.points: 0 is out of range; use what an idle week costs, 1 to 1000",
		"decay: {points: 1001}":             "duels.decay.points: 1001 is out of range",
		"decay: {points: 1.5}":              "duels.decay.points",
		"decay: {points: 10, after: 53}":    "duels.decay.after",
		"decay: {points: 10, after: -1}":    "duels.decay.after",
		"decay: {points: 10, floor: 1e6}":   "duels.decay.floor",
		"decay: {points: 10, floor: -1}":    "duels.decay.floor",
		"decay: {points: 10, every: 7d}":    "duels.decay.every",
		"decay: {points: 10, after: 4 d}":   "duels.decay.after",
		"decay: [10]":                       "duels.decay",
		"decay: {factor: 0.95, points: 10}": "duels.decay.factor",
	} {
		_, err := decayingDuels(t, text)
		require.ErrorContains(t, err, says, text)
		require.Regexp(t, `^game\.yaml:\d+: `, err.Error(), text)
	}
}
