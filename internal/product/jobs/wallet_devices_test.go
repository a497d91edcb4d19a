package jobs_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/feature/wallet/walletstore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const devicesGame = `
name: devices
anonymous: true
currencies: {coins: {first: 2, coins: 3, short: 1}}
modes:
  first: {max: 1000}
  coins: {policy: sum, max: 500, day_max: 5000}
  short: {policy: best, max: 1000, play: required}
`

// earns has a player play a mode today.
func (w *world) earns(player, mode string) {
	w.now = w.now.Add(time.Second)
	_, err := w.app.Store().Boards.Submit(w.Context(), game.Submission{
		Mode: w.mode(mode), Player: player, Date: game.DateOf(w.now), Score: 5, At: w.now,
		Idempotency: game.IdempotencyRecord{ID: fmt.Sprint(player, w.now), Fingerprint: "f"},
	})
	require.NoError(w, err)
}

// has requires what a player has earned, in Redis and as both stores say it.
func (w *world) has(player string, earned int64, when string) {
	has, err := w.app.Wallets().Of(w.Context(), player)
	require.NoError(w, err)
	require.Equal(w, earned, has[0].Earned, "%s, %s", player, when)
	if w.kept == nil {
		return
	}
	archived := map[string]int64{}
	require.NoError(w, walletstore.In(w.kept).EarnedBefore(w.Context(), game.DateOf(w.now).AddDays(2), func(page []walletstore.EarnedAmount) error {
		for _, e := range page {
			archived[e.Player] += e.Amount
		}
		return nil
	}))
	totals, _, err := w.app.Wallets().Books().Totals(w.Context(), "coins")
	require.NoError(w, err)
	maps.DeleteFunc(totals, func(_ string, coins int64) bool { return coins == 0 })
	require.Equal(w, archived, totals, when)
}

// Twenty devices play a day, and their player claims all of them when it has closed: the day's
// entry earns once, at once, whatever is still in Redis of the day, and after every run and loss
// that follows.
func TestClaimedDevicesEarnWhatTheMergedEntryEarns(t *testing.T) {
	for _, database := range []bool{true, false} {
		for _, late := range []int{0, 1, 5, 7, 8, 9, 12} {
			t.Run(fmt.Sprintf("%d days, database %v", late, database), func(t *testing.T) {
				w := newWorld(t, "", database)
				w.game = devicesGame
				w.restart()
				w.earns("owner", "first")
				for n := range 20 {
					w.earns(device(n), "first")
				}
				w.earns("other", "first")
				w.nights(late)
				for range 2 {
					for n := range 20 {
						_, err := jobs.Claims(w.app, w.kept).Claim(w.Context(), device(n), "owner")
						require.NoError(w, err)
						w.has("owner", 2, fmt.Sprint("claimed ", n+1))
						w.has(device(n), 0, "claimed")
					}
				}
				_, _, _, err := w.app.Wallets().Spend(w.Context(), wallet.Wish{Player: "owner", Currency: "coins", Amount: 3, Item: "hat", Once: game.IdempotencyRecord{ID: "k", Fingerprint: "f"}})
				short := (*wallet.ShortError)(nil)
				require.ErrorAs(w, err, &short)
				w.nights(2)
				w.has("owner", 2, "two nights later")
				w.has("other", 2, "two nights later")
				if database {
					w.lost(false)
					require.NoError(w, w.save())
					w.has("owner", 2, "restored")
					w.nights(1)
					w.has("owner", 2, "a night after the loss")
				}
			})
		}
	}
}

// Devices of one player are claimed all at once, on days of which some are only in the archive.
func TestDevicesClaimedAtOnceEarnOnce(t *testing.T) {
	w := newWorld(t, "", true)
	w.game = devicesGame
	w.restart()
	for range 11 {
		for n := range 8 {
			w.earns(device(n), "first")
			w.earns(device(n), "short")
		}
		w.nights(1)
	}
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			if _, err := jobs.Claims(w.app, w.kept).Claim(w.Context(), device(n), "owner"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	// Of the last 7 days each play earns; of the 4 before that, whose boards have expired, each
	// day gives what one device has earned.
	has, err := w.app.Wallets().Of(w.Context(), "owner")
	require.NoError(w, err)
	boards := 0
	for d := game.DateOf(w.now).AddDays(-1); w.app.Store().DB.Alive(d); d = d.AddDays(-1) {
		boards++
	}
	require.EqualValues(w, boards*(2+8)+(11-boards)*3, has[0].Earned)
	w.nights(1)
	w.has("owner", has[0].Earned, "a night later")
	w.lost(false)
	require.NoError(w, w.save())
	w.has("owner", has[0].Earned, "restored")
}

// A claim of days of all ages is killed before any of its requests to Redis or Postgres: sent
// again, or finished by the night, it gives the same.
func TestAKilledClaimOfOldDaysEarnsOnce(t *testing.T) {
	for n, more := 1, true; more; n += 3 {
		w := newWorld(t, "", true)
		w.game = devicesGame
		w.restart()
		for day := range 11 {
			w.earns("dev", "first")
			if day%2 == 0 {
				w.earns("owner", "first")
				w.earns("owner", "coins")
			}
			w.nights(1)
		}
		more = w.killed(n, func(ctx context.Context) error {
			_, err := jobs.Claims(w.app, w.kept).Claim(ctx, "dev", "owner")
			return err
		})
		w.restart()
		if n > 2 { // else the device is not claimed
			w.now = w.now.Add(30 * time.Minute)
			w.restart()
			w.daily()
			w.has("owner", 11*2+6*3, fmt.Sprint("killed before request ", n))
			w.has("dev", 0, "finished")
		}
	}
}

// devices are a world with a plain model beside it of what owners and devices have earned.
type devices struct {
	*world
	rand    *rand.Rand
	n       int
	plays   map[string]map[game.Date]map[string]int64 // player -> day -> mode -> plays
	old     map[string]map[game.Date]int64            // player -> day whose boards have expired -> coins
	spent   map[string]int64
	claimed map[string]string
	did     []string
}

// of is what a player's entries and plays of a day earn.
func (w *devices) of(player string, d game.Date) int64 {
	if coins, is := w.old[player][d]; is {
		return coins
	}
	return worth(w.plays[player][d])
}

func worth(of map[string]int64) (coins int64) {
	for mode, n := range of {
		coins += map[string]int64{"first": min(n, 1) * 2, "coins": min(n, 1) * 3, "short": n}[mode]
	}
	return coins
}

func (w *devices) earned(player string) (all int64) {
	for d := game.NewDate(2026, 11, 10); !d.After(game.DateOf(w.now)); d = d.AddDays(1) {
		all += w.of(player, d)
	}
	return all
}

func (w *devices) step() {
	w.n++
	w.now = w.now.Add(time.Second)
	w.restart()
	player, device := fmt.Sprint("p", w.rand.IntN(2)), fmt.Sprint("dev", w.rand.IntN(12))
	what := []string{"play", "play", "play", "play", "play", "claim", "claim", "night", "night", "night", "night", "spend", "spend", "loss", "late", "killed claim"}[w.rand.IntN(16)]
	w.did = append(w.did, fmt.Sprint(what, " ", player, " ", device))
	d := game.DateOf(w.now)
	switch what {
	case "play":
		who := player
		if w.rand.IntN(3) > 0 && w.claimed[device] == "" {
			who = device
		}
		mode := []string{"first", "coins", "short"}[w.rand.IntN(3)]
		w.did = append(w.did, who+" "+mode)
		w.earns(who, mode)
		if w.plays[who] == nil {
			w.plays[who] = map[game.Date]map[string]int64{}
		}
		if w.plays[who][d] == nil {
			w.plays[who][d] = map[string]int64{}
		}
		w.plays[who][d][mode]++
	case "claim", "killed claim":
		if of := w.claimed[device]; of != "" {
			player = of
		}
		claim := func(ctx context.Context) error {
			_, err := jobs.Claims(w.app, w.kept).Claim(ctx, device, player)
			return err
		}
		if what == "killed claim" {
			w.killed(3+w.rand.IntN(40), claim)
			w.restart()
		}
		require.NoError(w, claim(w.Context()))
		w.merge(device, player)
	case "night":
		w.nights(1)
	case "spend":
		amount, left := int64(1+w.rand.IntN(6)), w.earned(player)-w.spent[player]
		_, after, _, err := w.app.Wallets().Spend(w.Context(), wallet.Wish{Player: player, Currency: "coins", Amount: amount, Item: "hat", Once: game.IdempotencyRecord{ID: fmt.Sprint("buy", w.n), Fingerprint: "f"}})
		if amount > left {
			short := (*wallet.ShortError)(nil)
			require.ErrorAs(w, err, &short, "%q", w.did)
			return
		}
		require.NoError(w, err, "%q", w.did)
		w.spent[player] += amount
		require.Equal(w, left-amount, after.Left(), "%q", w.did)
	case "loss":
		require.NoError(w, w.save())
		w.lost(false)
		require.NoError(w, w.save())
	case "late": // a day that may be sealed is closed once more
		at := d.AddDays(-1 - w.rand.IntN(7))
		for _, m := range w.app.Game().Modes {
			_, err := jobs.Removals(w.app, w.kept).Score(w.Context(), m, at, "nobody", lifecycle.Act{ID: fmt.Sprint("o", w.n, m.Name), Actor: "operator", At: w.now})
			require.NoError(w, err)
		}
	}
}

// merge gives a device's days to its owner: entries and plays of days whose boards are in Redis
// become the owner's; of other days the larger amount is the owner's.
func (w *devices) merge(device, player string) {
	w.claimed[device] = player
	for d := game.NewDate(2026, 11, 10); !d.After(game.DateOf(w.now)); d = d.AddDays(1) {
		if !w.app.Store().DB.Alive(d) {
			if w.old[player] == nil {
				w.old[player] = map[game.Date]int64{}
			}
			w.old[player][d] = max(w.of(player, d), w.of(device, d))
			continue
		}
		for mode, n := range w.plays[device][d] {
			if w.plays[player] == nil {
				w.plays[player] = map[game.Date]map[string]int64{}
			}
			if w.plays[player][d] == nil {
				w.plays[player][d] = map[string]int64{}
			}
			w.plays[player][d][mode] += n
		}
	}
	delete(w.plays, device)
	delete(w.old, device)
}

// Devices and their owners play on any days; devices are claimed, also when their days have
// closed, are sealed or have expired, twice, and by requests that are killed; days are closed once
// more, Redis is lost, and owners spend. After each step every wallet has what its merged entries
// earn, and never less than was spent.
func TestClaimsEarnWhatAPlainModelSays(t *testing.T) {
	for range 5 {
		seed := rand.Uint64()
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := &devices{
				world: newWorld(t, "", true), rand: rand.New(rand.NewPCG(seed, 1)), plays: map[string]map[game.Date]map[string]int64{},
				old: map[string]map[game.Date]int64{}, spent: map[string]int64{}, claimed: map[string]string{},
			}
			w.game = devicesGame
			w.restart()
			for n := range 60 {
				w.step()
				for _, player := range slices.Concat(named("p", 2), named("dev", 12)) {
					has, err := w.app.Wallets().Of(w.Context(), player)
					require.NoError(w, err)
					require.Equal(w, []int64{w.earned(player), w.spent[player]}, []int64{has[0].Earned, has[0].Spent}, "%s after %q", player, w.did)
					require.GreaterOrEqual(w, has[0].Earned, has[0].Spent)
				}
				if n%10 == 9 {
					w.daily()
					w.has("p0", w.earned("p0"), fmt.Sprintf("%q", w.did))
				}
			}
		})
	}
}
