package jobs_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/jobs"
	"github.com/framedle/leaderboards/internal/removal"
	"github.com/framedle/leaderboards/internal/testkit"
	"github.com/framedle/leaderboards/upstash"
)

// killed kills a run's process before it sends its n-th request, so that nothing deferred runs
// either. It reports whether the run came that far. Locks are deleted, as if they had expired.
func (w *world) killed(n int, run func(ctx context.Context) error) bool {
	ctx, kill := context.WithCancel(w.Context())
	defer kill()
	calls := 0
	_ = run(upstash.WithGate(ctx, func(context.Context) error {
		if calls++; calls < n {
			return nil
		}
		kill()
		return context.Canceled
	}))
	for _, job := range []string{"save", "daily", "repair"} {
		w.do("DEL", game.LockKey(job))
	}
	return calls >= n
}

// A player is erased during a repair that is killed soon after: neither it nor the run that
// continues it brings the player back, and what is left of the player does not make that run
// fail.
func TestWhoIsErasedDuringARepairThatIsKilledStaysErased(t *testing.T) {
	w := newWorld(t, "", true)
	w.game = keptGame
	w.restart()
	const step = 17
	players := named("p", 20)
	w.ofAllKinds(players)
	require.NoError(t, w.save())
	w.now = w.now.AddDate(0, 0, 1)
	w.daily()
	w.many(players, func(*game.Mode, int) game.Score { return 5 })
	require.NoError(t, w.save())
	for i, n, more := 0, anyOf(step), true; more; i, n = i+1, n+step {
		player, killed := players[i], n+anyOf(4)
		more = w.erasedAndKilled(player, n, killed)
		w.restart()
		require.NoError(t, w.save(), "erased before request %d, killed before %d", n, killed)
		for place, words := range w.words() {
			require.False(t, words[player] && more, "%s has who was erased before request %d, killed before %d", place, n, killed)
		}
	}
}

// erasedAndKilled has Redis lost and repaired. The player is erased before request n of the
// repair, and the repair is killed before request killed. It reports whether the repair has a
// request n.
func (w *world) erasedAndKilled(player string, n, killed int) bool {
	w.do("FLUSHALL")
	w.now = w.now.Add(time.Second)
	w.restart()
	end := testkit.Before(w.redis, n, func() { w.elsewhere(func() { w.erases(player) }) })
	w.killed(killed, func(ctx context.Context) error {
		_, err := jobs.New(w.app, w.kept).Save(ctx, w.now)
		return err
	})
	return end()
}

func (w *world) erases(player string) {
	_, err := jobs.Removals(w.app, w.kept).Erase(w.Context(), player, removal.Act{ID: "e" + player, Actor: "operator", At: w.now})
	require.NoError(w, err)
}

// If no run continues the repair, the next night's run erases what it has brought back, except
// a restored duel that is on no list: there, the repair that continues later shows the player
// as erased.
func TestWhomAKilledRepairHasBroughtBackTheNightErases(t *testing.T) {
	w := newWorld(t, "", true)
	w.game = keptGame
	w.restart()
	const step = 13
	players := named("p", 20)
	w.ofAllKinds(players)
	require.NoError(t, w.save())
	for i, n, more := 0, 35+anyOf(step), true; more; i, n = i+1, n+step {
		player, killed := players[i], n+anyOf(4)
		more = w.erasedAndKilled(player, n, killed)
		w.now = w.now.Add(21 * time.Minute)
		w.restart()
		j := jobs.New(w.app, w.kept)
		j.Repairs(false)
		_, _ = j.Daily(w.Context(), w.now) // the days are of a Redis that was lost
		require.NotContains(t, fmt.Sprint(w.do("HKEYS", game.RemovalsKey)), "~restoring")
		for place, words := range w.words() {
			if place != "keys" && !strings.HasPrefix(place, game.DuelRecordKey("")) {
				require.False(t, words[player] && more, "%s has who was erased before request %d, killed before %d", place, n, killed)
			}
		}
	}
}
