package game_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

func TestKeysOfWalletsAreTheContract(t *testing.T) {
	d := date(t, "2026-11-22")
	require.Equal(t, "plays:time_30:2026-11-22", game.PlaysKey("time_30", d))
	require.Equal(t, "earned:coins:2026-11-22", game.EarnedDayKey("coins", d))
	require.Equal(t, "earned:coins", game.EarnedKey("coins"))
	require.Equal(t, "spent:coins", game.SpentKey("coins"))
}
