package gamefile_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRollingBoardsNeedDaysThatAddUp(t *testing.T) {
	g, err := parsed(t, "game.yaml", []byte("name: t\nmodes:\n  m: {max: 10, rolling: true}\n"))
	require.NoError(t, err)
	require.True(t, g.Modes[0].Rolling)
	_, err = parsed(t, "game.yaml", []byte("name: t\nmodes:\n  m: {policy: best, max: 10, rolling: true}\n"))
	require.ErrorContains(t, err, "use aggregate: sum, or leave rolling out")
	require.ErrorContains(t, err, "game.yaml:3")
}
