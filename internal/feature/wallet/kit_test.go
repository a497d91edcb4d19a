package wallet_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m, "20", "30")) }

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// typing is a game with two modes whose plays are counted, and one in which an entry of a day
// earns once.
func typing(tb testing.TB) *game.Game {
	g := testkit.Game(tb, `
name: typing
currencies: {coins: {short: 1, long: 5, daily: 20}, gems: {daily: 1}}
modes: {short: {max: 100}, long: {max: 100}, daily: {max: 100}, free: {max: 100}}
`)
	testkit.Mode(tb, g, "short").NeedsPlay = true
	testkit.Mode(tb, g, "long").NeedsPlay = true
	return g
}

// process is one of the product's, over the one Redis that all share.
type process struct {
	wallet.Books
	db *redis.DB
}

func newProcess(g *game.Game, store *upstash.Client, clock *testkit.Clock) process {
	db := redis.New(store, g, clock.Now, nil)
	return process{wallet.New(db).Books(), db}
}

// play does what the step of a submission does that counts a play.
func play(t require.TestingT, store *testkit.Redis, mode string, d game.Date, player string) {
	if mode == "daily" {
		do(t, store, "ZADD", game.DayBoardKey(mode, d), "NX", "7", player)
		return
	}
	id := rand.Text()
	do(t, store, "ZADD", game.PlaysKey(mode, d), "0", game.SentPlay(id), "0", game.PlayOf(player, id))
}

func do(t require.TestingT, store *testkit.Redis, words ...string) any {
	reply, err := store.Server.Redis().Do(context.Background(), words...)
	require.NoError(t, err)
	return reply
}

func wish(player string, amount int64, once string) wallet.Wish {
	return wallet.Wish{
		Player: player, Currency: "coins", Amount: amount, Item: "hat-3",
		Once: game.IdempotencyRecord{ID: once, Fingerprint: "f" + strconv.FormatInt(amount, 10)},
	}
}

func has(t require.TestingT, w *wallet.Wallets, player string) wallet.Balance {
	all, err := w.Of(context.Background(), player)
	require.NoError(t, err)
	for _, b := range all {
		if b.Currency == "coins" {
			return b
		}
	}
	require.Fail(t, "no coins")
	return wallet.Balance{}
}

func key(n int) string { return fmt.Sprintf("once-%d", n) }
