package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
)

// A player is removed before any single request of a run: neither what the run writes nor
// later runs have the player. No other removal comes in between that would make the run read
// again.
func TestWhoIsTakenOutOnceDuringARunStandsNowhere(t *testing.T) {
	for how, takeOut := range map[string]func(w *world, player string){
		"erased": (*world).erases,
		letIn:    func(w *world, player string) { require.True(w, w.takesOut(player, letIn)) },
	} {
		t.Run(how, func(t *testing.T) {
			w := newWorld(t, "", true)
			w.game = bannedGame
			w.restart()
			var out []string
			for n, more := 1, true; more; n++ {
				player := fmt.Sprint("p", n)
				w.many([]string{player, fmt.Sprint("q", n)}, func(*game.Mode, int) game.Score { return 50 })
				w.now = w.now.Add(30 * time.Minute) // no other removal was recent
				w.restart()
				end := testkit.Before(w.redis, n, func() { w.elsewhere(func() { takeOut(w, player) }) })
				require.NoError(t, w.save())
				if more = end(); more {
					out = append(out, player)
				}
				w.now = w.now.Add(21 * time.Minute) // by then a board that lacks players is taken for damaged
				w.restart()
				require.NoError(t, w.save())
				w.nowhere(out, "cron-save")
			}
		})
	}
}
