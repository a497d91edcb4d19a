package gamefile_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/games"
	"github.com/framedle/leaderboards/internal/game"
)

func TestTypingRanksByTwoValues(t *testing.T) {
	text, err := games.FS.ReadFile("typing.yaml")
	require.NoError(t, err)
	g, err := parsed(t, "games/typing.yaml", text)
	require.NoError(t, err)
	require.Len(t, g.Modes, 3)
	for i, name := range []string{"time_15", "time_30", "time_60"} {
		m := g.Modes[i]
		require.Equal(t, name, m.Name)
		require.Equal(t, game.Best, m.Policy)
		require.Equal(t, game.Max, m.Aggregate)
		require.True(t, m.Details)
		require.Equal(t, []game.ScopeKind{game.Country, game.Group}, m.Scopes)
		require.Equal(t, []game.Value{
			{Name: "wpm", Decimals: 2, Max: 35000, Order: game.Desc},
			{Name: "accuracy", Decimals: 2, Max: 10000, Order: game.Desc},
		}, m.Values)
		packed, err := m.Pack([]game.Score{6000, 0})
		require.NoError(t, err)
		require.Greater(t, m.XPOf(packed), m.XPOf(packed-1))
	}
}

func TestValuesHaveOrdersOfTheirOwn(t *testing.T) {
	g, err := parsed(t, "g.yaml", []byte(`name: g
modes:
  maze:
    policy: first
    order: asc
    score:
      - {name: moves, max: 500}
      - {name: stars, max: 3, order: desc}
      - {name: seconds, decimals: 1, min: -0.5, max: 99.9}
    xp: {scores: {"100": 5, "50": 9}}
`))
	require.NoError(t, err)
	m := mode(t, g, "maze")
	require.Equal(t, game.Min, m.Aggregate, "packed scores are never added up")
	require.Equal(t, []game.Value{
		{Name: "moves", Max: 500, Order: game.Asc},
		{Name: "stars", Max: 3, Order: game.Desc},
		{Name: "seconds", Decimals: 1, Min: -5, Max: 999, Order: game.Asc},
	}, m.Values)
	require.Equal(t, []game.XPScore{{Score: 100, XP: 5}, {Score: 50, XP: 9}}, m.XP.Scores)
}

func TestWrongValuesAreNamedWithTheirLines(t *testing.T) {
	_, err := parsed(t, "g.yaml", []byte(`name: g
modes:
  one:
    score: wpm
  two:
    score: []
  three:
    policy: sum
    decimals: 2
    max: 100
    score:
      - {name: wpm, max: 350, decimals: 2}
      - {name: wpm, max: 100}
  four:
    score:
      - wpm
      - {name: accuracy, places: 2}
      - {max: high}
      - {name: time, max: 1, min: 2, decimals: 9, order: down}
  five:
    aggregate: sum
    xp: 1.0
    score:
      - {name: wpm, max: 350, decimals: 4}
      - {name: accuracy, max: 100, decimals: 4}
  six:
    score: [{name: wpm, max: 350, decimals: 1}]
    xp: {scores: {"60.25": 5, "400": 5}}
`))
	require.EqualError(t, err, strings.TrimSpace(string(read(t, "values.golden"))))
}
