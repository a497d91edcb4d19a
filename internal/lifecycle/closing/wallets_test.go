package closing_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

const earning = `
name: earning
currencies: {coins: {short: 1, daily: 20}, gems: {daily: 2}}
modes:
  short: {policy: best, max: 1000, play: required}
  daily: {max: 1000}
`

func newEarningKit(t *testing.T, redis string) *kit {
	k := newKitOver(t, redis)
	k.game = testkit.Game(t, earning)
	return k
}

// earn plays a mode; each submission has a record of its own, as a submission with a play
// token has.
func (k *kit) earn(mode, player string, d game.Date) {
	k.t.Helper()
	k.play(mode, player, d, game.Score(1+k.keys%900))
}

func (k *kit) has(player string) []wallet.Balance {
	k.t.Helper()
	all, err := wallet.New(k.process().Store.DB).Of(context.Background(), player)
	require.NoError(k.t, err)
	return all
}

func (k *kit) spend(player string, amount int64) {
	k.t.Helper()
	k.keys++
	_, _, _, err := wallet.New(k.process().Store.DB).Spend(context.Background(), wallet.Wish{
		Player: player, Currency: "coins", Amount: amount, Item: "hat",
		Once: game.IdempotencyRecord{ID: fmt.Sprint("spend", k.keys), Fingerprint: "f"},
	})
	require.NoError(k.t, err)
}

func (k *kit) daily() {
	k.t.Helper()
	_, err := k.process().Daily(context.Background())
	require.NoError(k.t, err)
}

func (k *kit) save() {
	k.t.Helper()
	_, err := k.process().Save(context.Background())
	require.NoError(k.t, err)
}

// Over a fortnight, so that the first days leave Redis: days close twice, a day is played
// late, a score is removed. Then Redis is lost and restored, twice.
func TestWalletsComeBackAfterALoss(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, redis string) {
		k := newEarningKit(t, redis)
		ctx := context.Background()
		players := []string{"user_a", "user_b", "user_c"}
		want := map[string][]wallet.Balance{}
		for _, player := range players {
			want[player] = []wallet.Balance{{Currency: "coins"}, {Currency: "gems"}}
		}
		for n := range 14 {
			d := monday.AddDays(n)
			k.at(d, 12, 0)
			for i, player := range players {
				for range (n + i) % 4 {
					k.earn("short", player, d)
					want[player][0].Earned++
				}
				if (n+i)%3 > 0 {
					k.earn("daily", player, d)
					k.earn("daily", player, d)
					want[player][0].Earned += 20
					want[player][1].Earned += 2
				}
			}
			k.save()
			if n%3 == 2 {
				for _, player := range players {
					k.spend(player, int64(n))
					want[player][0].Spent += int64(n)
				}
			}
			k.at(d.AddDays(1), 0, 30)
			k.daily()
			k.daily()
			for _, player := range players {
				require.Equal(t, want[player], k.has(player), d)
			}
			expireDays(k)
		}
		last := monday.AddDays(13)
		k.at(last.AddDays(1), 9, 0)
		k.earn("short", "user_a", last.AddDays(1)) // on the day that is open
		k.earn("daily", "user_b", last.AddDays(1))
		want["user_a"][0].Earned++
		want["user_b"][0].Earned += 20
		want["user_b"][1].Earned += 2
		k.save()
		k.agree()

		for range 2 {
			_, err := k.server.Redis().Do(ctx, "FLUSHALL")
			require.NoError(t, err)
			for range 2 {
				_, err = k.process().Restore(ctx, closing.RestoreOptions{Force: true})
				require.NoError(t, err)
				for _, player := range players {
					require.Equal(t, want[player], k.has(player), player)
				}
				k.agree()
			}
		}
		k.earn("short", "user_c", last.AddDays(1))
		want["user_c"][0].Earned++
		k.spend("user_c", 3)
		want["user_c"][0].Spent += 3
		k.at(last.AddDays(2), 0, 30)
		k.daily()
		k.save()
		for _, player := range players {
			require.Equal(t, want[player], k.has(player), player)
		}
		k.agree()
	})
}

// expireDays deletes keys that have expired by the game's clock.
func expireDays(k *kit) {
	for n := range 40 {
		d := monday.AddDays(n - 20)
		end, _ := k.game.Expires(game.Day.Of(d))
		if k.now.Before(end) {
			continue
		}
		keys := []string{"DEL", game.PlaysKey("short", d)}
		for _, mode := range []string{"short", "daily"} {
			keys = append(keys, game.DayBoardKey(mode, d))
		}
		if !k.now.Before(end.Add(24 * 3600e9)) {
			keys = append(keys, wallet.EarnedDayKey("coins", d), wallet.EarnedDayKey("gems", d))
		}
		_, err := k.server.Redis().Do(context.Background(), keys...)
		require.NoError(k.t, err)
	}
}

func TestADayOfALostRedisDoesNotTakeCoinsAway(t *testing.T) {
	k := newEarningKit(t, "")
	ctx := context.Background()
	k.at(monday, 12, 0)
	for range 5 {
		k.earn("short", "user_a", monday)
	}
	k.save()
	_, err := k.server.Redis().Do(ctx, "FLUSHALL")
	require.NoError(t, err)
	k.earn("short", "user_b", monday)
	k.at(monday.AddDays(1), 0, 30)
	_, err = k.process().Daily(ctx)
	require.Error(t, err, "the archive has the day from a Redis that was lost")
	_, err = k.process().Restore(ctx, closing.RestoreOptions{Force: true})
	require.NoError(t, err)
	require.EqualValues(t, 5, k.has("user_a")[0].Earned)
	require.EqualValues(t, 1, k.has("user_b")[0].Earned)
	k.daily()
	k.daily()
	require.EqualValues(t, 5, k.has("user_a")[0].Earned)
	require.EqualValues(t, 1, k.has("user_b")[0].Earned)
	k.agree()
}

func TestWhatIsTakenOutOfADayIsTakenOutOfItsCoins(t *testing.T) {
	k := newEarningKit(t, "")
	ctx := context.Background()
	k.at(monday, 12, 0)
	for range 3 {
		k.earn("short", "user_a", monday)
	}
	k.earn("daily", "user_a", monday)
	k.at(monday.AddDays(1), 0, 30)
	k.daily()
	require.EqualValues(t, 23, k.has("user_a")[0].Earned)
	p := k.process()
	_, err := p.Store.Repair.RemoveScore(ctx, k.mode("short"), monday, "user_a", nil)
	require.NoError(t, err)
	k.daily()
	require.EqualValues(t, 20, k.has("user_a")[0].Earned)
	require.NoError(t, wallet.New(p.Store.DB).Erase(ctx, "user_a"))
}

func TestWithoutAnArchiveWalletsGoOn(t *testing.T) {
	k := newEarningKit(t, "")
	ctx := context.Background()
	process := k.withoutArchive
	k.at(monday, 12, 0)
	for range 3 {
		k.earn("short", "user_a", monday)
	}
	k.spend("user_a", 2)
	k.at(monday.AddDays(1), 0, 30)
	_, err := process().Daily(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 1, k.has("user_a")[0].Left())
	coming, _, err := wallet.New(process().Store.DB).Books().Spends(ctx)
	require.NoError(t, err)
	require.Empty(t, coming, "nobody would ever take them")
}
