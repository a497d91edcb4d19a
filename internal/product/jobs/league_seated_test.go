package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/league/leaguestore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// A player is erased or banned before any one request or query of the look that seats the player in the
// week's league: the player is in no cohort once removals have been looked after, and the week
// ends without the player.
func TestWhoIsTakenOutWhileBeingSeatedIsInNoCohort(t *testing.T) {
	for how, takeOut := range map[string]func(w *world, player string){
		"erased": (*world).erases,
		banned:   func(w *world, player string) { require.True(w, w.takesOut(player, banned)) },
	} {
		t.Run(how, func(t *testing.T) {
			w := newWorld(t, "", true)
			w.game = bannedGame
			w.restart()
			relay := testkit.NewRelay(t, w.database)
			relayed := testkit.Archive(t, relay.URL, jobs.Tables()...)
			var out []string
			looks := 0
			for _, before := range []func(n int, do func()) (end func() bool){
				func(n int, do func()) func() bool { return testkit.Before(w.redis, n, do) },
				relay.Before,
			} {
				for n, more := 1, true; more; n++ {
					looks++
					player, other := fmt.Sprint("p", looks), fmt.Sprint("q", looks)
					w.restart()
					w.many([]string{player, other}, func(*game.Mode, int) game.Score { return 50 })
					w.now = w.now.Add(10 * time.Minute)
					w.restart()
					has, may := `EXISTS (SELECT FROM league_seats WHERE player = $1)`, false
					end := before(n, func() {
						w.elsewhere(func() { takeOut(w, player) })
						w.ask(`SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted) OR `+has, &may, player)
					})
					_, err := jobs.Leagues(w.app, relayed).PlayerLeague(w.Context(), other)
					require.NoError(t, err)
					if more = end(); more {
						out = append(out, player)
						var seated bool
						w.ask(`SELECT `+has, &seated, player)
						require.True(t, may || !seated, "%s got a seat later", player)
					}
				}
			}
			w.now = w.now.Add(21 * time.Minute)
			w.restart()
			w.daily()
			if how == "erased" {
				w.nowhere(out, "a look")
				return
			}
			for range 7 { // until the week is over
				w.now = w.now.AddDate(0, 0, 1)
				w.restart()
				w.daily()
			}
			for _, player := range append(out, "q1") {
				ended, err := leaguestore.In(w.kept).Of(t.Context(), player, game.DateOf(w.now), 1)
				require.NoError(t, err)
				require.Equal(t, player == "q1", len(ended) == 1, player)
			}
		})
	}
}
