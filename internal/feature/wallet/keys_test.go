package wallet_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
)

func TestKeysOfWalletsAreTheContract(t *testing.T) {
	d := game.NewDate(2026, time.November, 22)
	require.Equal(t, "plays:time_30:2026-11-22", game.PlaysKey("time_30", d))
	require.Equal(t, "turn:0a", game.TurnKey("0a"))
	require.Equal(t, "!0a", game.SentPlay("0a"))
	require.True(t, game.IsSentPlay(game.SentPlay("0a")))
	require.False(t, game.IsSentPlay(game.PlayOf("ana", "0a")))
	require.Equal(t, "!0a", game.AnswerField("0a"))
	require.Error(t, game.ValidPlayer(game.AnswerField("0a")), "no player has it")
	require.Equal(t, "earned:coins:2026-11-22", wallet.EarnedDayKey("coins", d))
	require.Equal(t, "earned:coins", wallet.EarnedKey("coins"))
	require.Equal(t, "spent:coins", wallet.SpentKey("coins"))
}
