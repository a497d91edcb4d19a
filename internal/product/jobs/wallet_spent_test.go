package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// buys makes a player buy something for an amount, under a key.
func (w *world) buys(player, key string, amount int64) {
	_, _, _, err := w.app.Wallets().Spend(w.Context(), wallet.Wish{
		Player: player, Currency: "coins", Amount: amount, Item: "hat", Once: game.IdempotencyRecord{ID: key, Fingerprint: "f"},
	})
	require.NoError(w, err)
}

// A player buys, is erased before cron-save has taken the purchase to the history, begins anew
// and buys again. Neither a killed cron-save nor a restore, nor both in any order, counts the
// purchase from before.
func TestAPurchaseOfAnErasedPlayerDoesNotComeBack(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		w := newWorld(t, address, true)
		w.game = "currencies: {coins: {first: 10, best: 20}}" + replayedGame
		w.restart()
		for n, more := 1, true; more; n++ {
			player := fmt.Sprint("p", n)
			w.many([]string{player}, func(*game.Mode, int) game.Score { return 5 })
			w.buys(player, player+" before", 7)
			w.now = w.now.Add(time.Second)
			w.erases(player)
			w.now = w.now.Add(time.Second)
			w.restart()
			w.many([]string{player}, func(*game.Mode, int) game.Score { return 5 })
			w.buys(player, player+" anew", 2)
			more = w.killedRepair(n)
			w.restart()
			_, err := jobs.New(w.app, w.kept).Restore(w.Context(), closing.RestoreOptions{Force: true})
			require.NoError(t, err)
			has, err := w.app.Wallets().Of(w.Context(), player)
			require.NoError(t, err)
			require.Equal(t, []wallet.Balance{{Currency: "coins", Earned: 30, Spent: 2}}, has, "killed before request %d", n)
		}
	})
}
