package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/testkit"
)

// Whoever is taken out before whichever single request of a run is not in what that leaves,
// nor comes back by later ones: nothing else comes between that would have it read again.
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
				w.now = w.now.Add(30 * time.Minute) // nobody else was taken out of late
				w.restart()
				end := testkit.Before(w.redis, n, func() { w.elsewhere(func() { takeOut(w, player) }) })
				require.NoError(t, w.save())
				if more = end(); more {
					out = append(out, player)
				}
				w.now = w.now.Add(21 * time.Minute) // what is short then is taken for lost
				w.restart()
				require.NoError(t, w.save())
				w.nowhere(out, "cron-save")
			}
		})
	}
}
