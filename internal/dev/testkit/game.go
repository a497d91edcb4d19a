package testkit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile"
)

// Game reads a game file's text.
func Game(tb testing.TB, text string) *game.Game {
	tb.Helper()
	g, err := gamefile.Parse("test.yaml", []byte(text))
	require.NoError(tb, err)
	return g
}

// Mode returns a mode of a game, by name.
func Mode(tb testing.TB, g *game.Game, name string) *game.Mode {
	tb.Helper()
	m, ok := g.Mode(name)
	require.True(tb, ok, name)
	return m
}
