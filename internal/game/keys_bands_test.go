package game_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

func TestKeysOfBandsAreTheContract(t *testing.T) {
	const board = "lb:race:alltime"
	require.Equal(t, "bands:lb:race:alltime", game.BandsKey(board))
	require.Equal(t, "bands:counts:lb:race:alltime", game.BandCountsKey(board))
	require.Equal(t, "bands:turn:lb:race:alltime", game.BandTurnKey(board))
	require.Equal(t, "bands:loose:lb:race:alltime", game.BandLooseKey(board))
	require.Equal(t, "band:lb:race:alltime:12", game.BandKey(board, 12))
	require.Equal(t, "homes:lb:race:alltime:7", game.BandHomesKey(board, 7))
}
