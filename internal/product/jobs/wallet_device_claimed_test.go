package jobs_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// ownersHave requires that owners of devices have what both have earned, and the devices nothing.
func (w *world) ownersHave(devices int, earned int64, when string) {
	for n := range devices {
		for player, want := range map[string]int64{device(n): 0, owner(n): earned} {
			has, err := w.app.Wallets().Of(w.Context(), player)
			require.NoError(w, err)
			require.Equal(w, []wallet.Balance{{Currency: "coins", Earned: want}}, has, "%s, %s", player, when)
		}
	}
}

// A claim is killed before any of its requests to Redis, and nobody sends it again: the next
// night finishes it, with what the device has earned.
func TestAKilledClaimGivesWhatTheDeviceHasEarned(t *testing.T) {
	w := newWorld(t, "", true)
	w.game = earningGame
	n := 0
	for more := true; more; n++ {
		w.restart()
		w.many([]string{device(n), owner(n)}, func(*game.Mode, int) game.Score { return 50 })
		require.NoError(t, w.save())
		more = w.killed(n+3, func(ctx context.Context) error { // the second request makes it a claim
			_, err := jobs.Claims(w.app, w.kept).Claim(ctx, device(n), owner(n))
			return err
		})
	}
	w.later()
	w.ownersHave(n, 22, "after the night")
	w.do("FLUSHALL")
	w.now = w.now.Add(time.Second)
	w.restart()
	require.NoError(t, w.save())
	w.ownersHave(n, 22, "restored")
}

// Devices are claimed during a run, one before each of its queries or requests: after the next
// night each coin is the owner's, once, also when Redis is lost and restored.
func TestWhatADeviceHasEarnedIsItsOwnersOnceWhateverRuns(t *testing.T) {
	for _, job := range []string{"cron-save", "a repair"} {
		t.Run(job, func(t *testing.T) {
			w := newWorld(t, "", true)
			w.game = earningGame
			w.restart()
			relay := testkit.NewRelay(w, w.database)
			relayed := testkit.Archive(w, relay.URL, jobs.Tables()...)
			const devices = 90
			var all []string
			for n := range devices {
				all = append(all, device(n), owner(n))
			}
			w.many(all, func(*game.Mode, int) game.Score { return 50 })
			earned := int64(22)
			if job == "a repair" {
				require.NoError(w, w.save())
				w.nextDay(all)
				w.do("FLUSHALL")
				earned *= 2
			}
			w.now = w.now.Add(time.Second)
			w.restart()
			claimed := 0
			claim := func() {
				if claimed == devices {
					return
				}
				claimed++
				w.elsewhere(func() {
					_, err := jobs.Claims(w.app, w.kept).Claim(w.Context(), device(claimed-1), owner(claimed-1))
					require.NoError(w, err)
				})
			}
			end := relay.BeforeEach(claim)
			for n, err := 1, error(fmt.Errorf("not run")); err != nil && n < 9; n++ {
				_, err = jobs.New(w.app, relayed).Save(w.Context(), w.now)
			}
			end()
			w.before(all, func(string) { claim() }, w.save)
			require.Greater(w, claimed, 20)
			w.later()
			w.ownersHave(claimed, earned, "after it")
			w.do("FLUSHALL")
			w.now = w.now.Add(time.Second)
			w.restart()
			require.NoError(t, w.save())
			w.ownersHave(claimed, earned, "restored")
		})
	}
}
