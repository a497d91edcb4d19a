package jobs_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
)

// A purchase that is sent again after a loss is bought once more, before each request of the
// repair or after it, however often it is sent, and only if there is enough for it; what is
// earned comes back, and the history has each purchase.
func TestAPurchaseThatIsSentAgainAfterALossIsAnotherOne(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		w := newWorld(t, address, true)
		w.game = "currencies: {coins: {first: 1, best: 2}}" + replayedGame
		w.restart()
		buy := func(player string) {
			_, _, _, err := w.app.Wallets().Spend(w.Context(), wallet.Wish{
				Player: player, Currency: "coins", Amount: 1, Item: "hat", Once: game.IdempotencyRecord{ID: "buy" + player, Fingerprint: "f"},
			})
			if short := (*wallet.ShortError)(nil); !errors.As(err, &short) {
				require.NoError(t, err)
			}
		}
		players := named("p", 80)
		w.many(players, func(*game.Mode, int) game.Score { return 5 })
		for _, player := range players {
			buy(player)
		}
		require.NoError(t, w.save())
		w.do("FLUSHALL")
		w.now = w.now.Add(time.Second)
		w.restart()
		require.Greater(t, w.before(players[:75], buy, w.save), 50)
		require.NoError(t, w.save())
		w.restart()
		for _, player := range players {
			buy(player)
			has, err := w.app.Wallets().Of(w.Context(), player)
			require.NoError(t, err)
			require.Equal(t, []wallet.Balance{{Currency: "coins", Earned: 3, Spent: 2}}, has, player)
		}
		require.NoError(t, w.save())
		for _, player := range players {
			var bought int
			w.ask(`SELECT count(*) FROM spends WHERE player = $1`, &bought, player)
			require.Equal(t, 2, bought, player)
		}
	})
}
