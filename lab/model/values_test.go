package model

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
)

// The model unpacks scores as the product does, without asking it.
func TestValuesAndTheirXPAreTheProducts(t *testing.T) {
	g, err := gamefile.Parse("game.yaml", []byte(`
name: values
modes:
  typed: {policy: best, score: [{name: wpm, decimals: 2, max: 350}, {name: errors, max: 99, order: asc}], xp: {play: 3, scores: {"60": 10, "80.5": 20}}}
  maze: {order: asc, score: [{name: stars, max: 3, order: desc}, {name: moves, min: -5, max: 500}], xp: {scores: {"1": 5, "3": 9}}}
`))
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom(g.Modes).Draw(t, "mode")
		r := NewRule(m, 15*time.Minute)
		score := game.Score(rapid.Int64Range(0, int64(m.Max)).Draw(t, "score"))
		values := r.Values(int64(score))
		for i, v := range m.Unpack(score) {
			require.Equal(t, int64(v), values[i])
		}
		require.Equal(t, m.XPOf(score), xpOf(r, int64(score)))
	})
}
