package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const claimedGame = `
name: claimed
modes:
  coins: {policy: sum, max: 500, day_max: 5000, scopes: [group], xp: 1}
  best: {policy: best, max: 1000}
`

// A device is claimed before any one request of the night's run, on the day after it was
// played with or when that day is rolled up: what it and its owner have played counts once, in
// both stores.
func TestWhatIsClaimedDuringARunCountsOnce(t *testing.T) {
	const step = 11
	for _, days := range []int{1, 7} {
		t.Run(fmt.Sprint(days), func(t *testing.T) {
			w := newWorld(t, "", true)
			w.game = claimedGame
			w.restart()
			night := func() error {
				w.restart()
				_, err := jobs.New(w.app, w.kept).Daily(w.Context(), w.now)
				return err
			}
			played, when := 0, map[int]int{}
			for n, more := anyOf(step), true; more; {
				played++
				w.now = w.now.Truncate(24 * time.Hour).Add(12 * time.Hour)
				w.restart()
				w.many([]string{device(played), owner(played)}, func(_ *game.Mode, i int) game.Score { return game.Score(7 + 3*i) })
				w.now = w.now.Truncate(24 * time.Hour).Add(24*time.Hour + 20*time.Minute)
				if claimed := played - days + 1; claimed > 0 {
					end := testkit.Before(w.redis, n, func() {
						w.elsewhere(func() {
							_, err := jobs.Claims(w.app, w.kept).Claim(w.Context(), device(claimed), owner(claimed))
							require.NoError(t, err)
						})
					})
					_ = night() // the day may be left to the next run
					if more = end(); more {
						when[claimed] = n
					}
					n += step
				}
				require.NoError(t, night())
			}
			for range 8 {
				w.now = w.now.AddDate(0, 0, 1)
				require.NoError(t, night())
			}
			w.restart()
			for n := 1; n <= played; n++ {
				of, whose := w.total(device(n)), w.total(owner(n))
				want := [2]total{{}, {17, 17, 17}}
				if of.coins > 0 { // the day takes no more changes, or the device was not claimed
					want = [2]total{{7, 7, 7}, {10, 10, 10}}
				}
				require.Equal(t, want, [2]total{of, whose}, "claimed before request %d, %d days later", when[n], days)
				require.False(t, of.coins > 0 && days == 1 && when[n] > 0, "claimed before request %d", when[n])
			}
		})
	}
}

func device(n int) string { return fmt.Sprint("dev", n) }
func owner(n int) string  { return fmt.Sprint("own", n) }

// total is a player's sum of coins, with XP and what the archive has.
type total struct{ coins, xp, kept game.Score }

func (w *world) total(player string) (all total) {
	m := w.mode("coins")
	entries, err := w.app.Store().Boards.Lookup(w.Context(), game.BoardOf(m, game.AllTime.Of(game.DateOf(w.now)), game.Scope{}), []string{player})
	require.NoError(w, err)
	for _, e := range entries {
		all.coins = e.Score
	}
	me, err := w.app.Store().Boards.Me(w.Context(), player, nil)
	require.NoError(w, err)
	all.xp = game.Score(me.XP)
	rows, err := w.kept.Results.Of(w.Context(), player, game.NewDate(1, 1, 1), game.NewDate(9999, 12, 31))
	require.NoError(w, err)
	for _, r := range rows {
		if r.Mode == m.Name {
			all.kept += m.Decode(r.Stored)
		}
	}
	return all
}
