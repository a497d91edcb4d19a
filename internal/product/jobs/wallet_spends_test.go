package jobs_test

import (
	"fmt"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
)

// spendFromWallets has each player buy something.
func (w *world) spendFromWallets(players []string) {
	for i, player := range players {
		_, _, _, err := w.app.Wallets().Spend(w.Context(), wallet.Wish{
			Player: player, Currency: "coins", Amount: 1, Item: "hat", Once: game.IdempotencyRecord{ID: fmt.Sprint("s", i), Fingerprint: "f"},
		})
		require.NoError(w, err)
	}
}
