package jobs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/product/jobs"
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
	w.nextDay(players)
	for i, n, more := 0, anyOf(step), true; more; i, n = i+1, n+step {
		player, killed := players[i], n+anyOf(4)
		w.lost(false)
		more = w.overtakenAndKilled(n, killed, func() { w.erases(player) })
		w.restart()
		require.NoError(t, w.save(), "erased before request %d, killed before %d", n, killed)
		for place, words := range w.words() {
			require.False(t, words[player] && more, "%s has who was erased before request %d, killed before %d", place, n, killed)
		}
	}
}

// lost has Redis lost. If played, somebody has played once more since then.
func (w *world) lost(played bool) {
	w.do("FLUSHALL")
	w.now = w.now.Add(time.Second)
	w.restart()
	if !played {
		return
	}
	_, err := w.app.Store().Boards.Submit(w.Context(), game.Submission{
		Mode: w.mode("first"), Player: "p0", Date: game.DateOf(w.now), Score: 5, At: w.now,
		Profile: game.Profile{Name: "Name of p0"}, Scopes: []game.Scope{groupOf(w, "red")}, Details: json.RawMessage(`{"n":0}`),
	})
	require.NoError(w, err)
}

// overtakenAndKilled has another process do something before request n of a repair, and kills
// the repair before request killed. It reports whether the repair has a request n.
func (w *world) overtakenAndKilled(n, killed int, do func()) bool {
	end := testkit.Before(w.redis, n, func() { w.elsewhere(do) })
	w.killedRepair(killed)
	return end()
}

// killedRepair kills a repair before its n-th request. It reports whether it came that far.
func (w *world) killedRepair(n int) bool {
	return w.killed(n, func(ctx context.Context) error {
		_, err := jobs.New(w.app, w.kept).Save(ctx, w.now)
		return err
	})
}

func (w *world) erases(player string) {
	_, err := jobs.Removals(w.app, w.kept).Erase(w.Context(), player, lifecycle.Act{ID: "e" + player, Actor: "operator", At: w.now})
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
		w.lost(false)
		more = w.overtakenAndKilled(n, killed, func() { w.erases(player) })
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

// The same holds for scores that are taken out, one by one or by a ban that is lifted before
// the repair goes on: boards and history do not have them again, and after the next night's
// run XP and streaks do not know of them.
func TestWhatIsTakenOutDuringARepairThatIsKilledStandsNowhere(t *testing.T) {
	for _, how := range []string{scoreOut, letIn} {
		t.Run(how, func(t *testing.T) {
			w := newWorld(t, "", true)
			w.game = bannedGame
			w.restart()
			const step = 11
			players := named("p", 30)
			w.many(players, func(m *game.Mode, i int) game.Score { return game.Score(100 + i + len(m.Name)) })
			require.NoError(t, w.save())
			w.now = w.now.Truncate(24*time.Hour).AddDate(0, 0, 1)
			w.daily()
			w.many(players, func(*game.Mode, int) game.Score { return 5 })
			require.NoError(t, w.save())
			for i, n, more := 1, anyOf(step), true; more; i, n = i+1, n+step {
				player, killed, out := players[i], n+anyOf(4), false
				w.lost(anyOf(2) == 1)
				more = w.overtakenAndKilled(n, killed, func() { out = w.takesOut(player, how) })
				w.restart()
				require.NoError(t, w.save())
				if !more || !out {
					continue
				}
				while := fmt.Sprintf("a repair before request %d, killed before %d", n, killed)
				w.nowhereStands([]string{player}, while)
				w.now = w.now.Add(21 * time.Minute)
				w.daily()
				w.nowhere([]string{player}, while)
			}
		})
	}
}

// A repair that is killed before any of its requests, and continued by another process, makes
// every board what it was: whether or not somebody has played since the loss.
func TestAKilledRepairIsContinued(t *testing.T) {
	for _, played := range []bool{false, true} {
		t.Run(fmt.Sprint("played ", played), func(t *testing.T) {
			w := newWorld(t, "", true)
			w.game = bannedGame
			w.restart()
			const step = 7
			players := named("p", 30)
			w.many(players, func(m *game.Mode, i int) game.Score { return game.Score(100 + i + len(m.Name)) })
			require.NoError(t, w.save())
			w.nextDay(players)
			before := w.boards()
			require.Len(t, before["lb:coins:2026-11-10:group:red"], 30)
			for n, more := anyOf(step), true; more; n += step {
				w.lost(played)
				more = w.killedRepair(n)
				w.restart()
				require.NoError(t, w.save())
				require.Equal(t, before, w.boards(), "killed before request %d", n)
			}
		})
	}
}

// The same holds for everything else that a repair brings back.
func TestAKilledRepairOfEverythingIsContinued(t *testing.T) {
	w := newWorld(t, "", true)
	w.game = keptGame
	w.restart()
	const step = 13
	players := named("p", 12)
	w.ofAllKinds(players)
	require.NoError(t, w.save())
	w.nextDay(players)
	kept := func() map[string]map[string]bool {
		all := w.words()
		maps.DeleteFunc(all, func(place string, _ map[string]bool) bool { // the name of this Redis, and times of runs
			return place == game.ClosedKey || place == game.BansKey || place == "runs" || strings.HasPrefix(place, "table ")
		})
		return all
	}
	w.lost(false)
	require.NoError(t, w.save())
	want := kept()
	for n, more := anyOf(step), true; more; n += step {
		w.lost(false)
		more = w.killedRepair(n)
		w.restart()
		require.NoError(t, w.save())
		require.Equal(t, want, kept(), "killed before request %d", n)
	}
}

// A night's run that is killed before any of its requests, and done again, leaves what a run
// leaves that was not killed.
func TestAKilledNightIsDoneAgain(t *testing.T) {
	const step = 17
	night := func(n int) (all map[string]map[string]bool, more bool) {
		w := newWorld(t, "", true)
		w.game = keptGame
		w.restart()
		w.ofAllKinds(named("p", 12))
		require.NoError(t, w.save())
		w.now = w.now.Truncate(24 * time.Hour).Add(26 * time.Hour)
		w.restart()
		if n > 0 {
			more = w.killed(n, func(ctx context.Context) error {
				_, err := jobs.New(w.app, w.kept).Daily(ctx, w.now)
				return err
			})
		}
		w.restart()
		w.daily()
		return w.words(), more
	}
	want, _ := night(0)
	again, _ := night(0)
	maps.DeleteFunc(want, func(place string, words map[string]bool) bool { // what has names and times of its own, or counts runs
		return !maps.Equal(words, again[place]) || place == "keys" || place == game.ClosedKey || place == "table archived_days"
	})
	require.Contains(t, want, "table results_2026_11")
	require.Contains(t, want, game.XPBaseKey)
	for n, more := anyOf(step), true; more; n += step {
		var got map[string]map[string]bool
		got, more = night(n)
		for place, words := range want {
			require.Equal(t, words, got[place], "%s, killed before request %d", place, n)
		}
	}
}
