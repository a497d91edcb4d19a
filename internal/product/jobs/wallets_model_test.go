package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// wallets are a world with a plain model of its wallets beside it.
type wallets struct {
	*world
	rand   *rand.Rand
	n      int                                 // names plays, purchases and acts
	earned map[string]map[string]int64         // player -> day and mode -> coins
	spent  map[string]int64                    // player -> coins
	keys   map[string][]game.IdempotencyRecord // player -> keys of purchases that Redis remembers
	did    []string
}

func (w *wallets) player() string { return fmt.Sprint("p", w.rand.IntN(4)) }

func (w *wallets) left(player string) (n int64) {
	for _, coins := range w.earned[player] {
		n += coins
	}
	return n - w.spent[player]
}

func (w *wallets) step() {
	w.n++
	w.now = w.now.Add(time.Second)
	w.restart()
	player := w.player()
	what := []string{"play", "play", "play", "first", "buy", "buy", "again", "save", "killed save", "night", "killed night", "loss", "killed repair", "restore", "erase", "take out"}[w.rand.IntN(16)]
	w.did = append(w.did, what+" "+player)
	today := game.DateOf(w.now)
	switch what {
	case "play", "first":
		mode, coins := "short", int64(1)
		if what == "first" {
			mode, coins = "first", 20
		}
		sub := game.Submission{Mode: w.mode(mode), Player: player, Date: today, Score: 5, At: w.now, Profile: game.Profile{Name: "Name"}}
		if what == "play" {
			sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint("play", w.n), Fingerprint: "f"}
		}
		_, err := w.app.Store().Boards.Submit(w.Context(), sub)
		require.NoError(w, err)
		if w.earned[player] == nil {
			w.earned[player] = map[string]int64{}
		}
		if of := today.String() + mode; what == "play" || w.earned[player][of] == 0 {
			w.earned[player][of] += coins
		}
	case "buy":
		once := game.IdempotencyRecord{ID: fmt.Sprint("buy", w.n), Fingerprint: "f"}
		if w.buy(player, once) {
			w.spent[player] += 3
			w.keys[player] = append(w.keys[player], once)
		}
	case "again":
		if known := w.keys[player]; len(known) > 0 {
			require.True(w, w.buy(player, known[w.rand.IntN(len(known))]))
		}
	case "save":
		require.NoError(w, w.save())
	case "killed save":
		w.killedRepair(1 + w.rand.IntN(60))
	case "killed night", "night":
		w.now = w.now.Truncate(24*time.Hour).AddDate(0, 0, 1).Add(30 * time.Minute)
		w.restart()
		if what == "killed night" {
			w.killed(1+w.rand.IntN(120), func(ctx context.Context) error {
				_, err := jobs.New(w.app, w.kept).Daily(ctx, w.now)
				return err
			})
			w.restart()
		}
		w.daily()
	case "loss", "killed repair":
		require.NoError(w, w.save())
		w.lost(false)
		clear(w.keys)
		if what == "killed repair" {
			w.killedRepair(1 + w.rand.IntN(150))
			w.restart()
		}
		require.NoError(w, w.save())
	case "restore":
		_, err := jobs.New(w.app, w.kept).Restore(w.Context(), closing.RestoreOptions{Force: true})
		require.NoError(w, err)
	case "erase":
		_, err := jobs.Removals(w.app, w.kept).Erase(w.Context(), player, lifecycle.Act{ID: fmt.Sprint("e", w.n), Actor: "operator", At: w.now})
		require.NoError(w, err)
		delete(w.earned, player)
		delete(w.spent, player)
		delete(w.keys, player)
	case "take out":
		d, m := today.AddDays(-w.rand.IntN(2)), w.app.Game().Modes[w.rand.IntN(2)]
		_, err := jobs.Removals(w.app, w.kept).Score(w.Context(), m, d, player, lifecycle.Act{ID: fmt.Sprint("o", w.n), Actor: "operator", At: w.now})
		require.NoError(w, err)
		delete(w.earned[player], d.String()+m.Name)
	}
}

// buy reports whether the player had enough.
func (w *wallets) buy(player string, once game.IdempotencyRecord) bool {
	_, _, _, err := w.app.Wallets().Spend(w.Context(), wallet.Wish{Player: player, Currency: "coins", Amount: 3, Item: "hat", Once: once})
	if short := (*wallet.ShortError)(nil); errors.As(err, &short) {
		return false
	}
	require.NoError(w, err)
	return true
}

// check requires that wallets are what the model says, once what was taken out of closed days has
// left them.
func (w *wallets) check() {
	w.now = w.now.Add(21 * time.Minute)
	w.restart()
	w.daily()
	for n := range 4 {
		player := fmt.Sprint("p", n)
		has, err := w.app.Wallets().Of(w.Context(), player)
		require.NoError(w, err)
		require.Equal(w, []int64{w.left(player), w.spent[player]}, []int64{has[0].Earned - has[0].Spent, has[0].Spent}, "%s after %q", player, w.did)
	}
}

// Players play and buy, are erased, and have scores taken out; runs are killed; Redis is lost
// and restored, in any order: each play has earned once, each purchase was paid once, and
// nothing of who was erased or taken out comes back.
func TestWalletsAreThoseOfAPlainModelWhateverIsLost(t *testing.T) {
	for range 6 {
		seed := rand.Uint64()
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := &wallets{
				world: newWorld(t, "", true), rand: rand.New(rand.NewPCG(seed, 1)),
				earned: map[string]map[string]int64{}, spent: map[string]int64{}, keys: map[string][]game.IdempotencyRecord{},
			}
			w.game = earningGame
			w.restart()
			for n := range 40 {
				w.step()
				if n%8 == 7 {
					w.check()
				}
			}
		})
	}
}
