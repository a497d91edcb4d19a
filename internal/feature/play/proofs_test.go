package play_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/play"
	"github.com/framedle/leaderboards/internal/game"
)

func TestEveryProofThatAModeMayNameIsThere(t *testing.T) {
	for _, rule := range game.Proofs() {
		proof, ok := play.Named(rule.Name)
		require.True(t, ok, rule.Name)
		require.NotNil(t, proof)
		require.NotEmpty(t, rule.Gives)
	}
	_, ok := play.Named("mouse")
	require.False(t, ok)
}
