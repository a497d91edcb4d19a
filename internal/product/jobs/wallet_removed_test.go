package jobs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const earningGame = `
name: earning
currencies: {coins: {short: 1, first: 20}}
modes:
  short: {policy: best, max: 1000, play: required}
  first: {max: 1000}
`

// Players' scores are taken out while a schedule runs, one player's before each of its queries
// or requests. What they earned is gone, and does not come back when Redis is lost and restored.
func TestWhatIsTakenOutDuringARunEarnsNothing(t *testing.T) {
	for _, job := range []string{"cron-save, query", "a repair, query", "a repair, request"} {
		for _, how := range []string{scoreOut, letIn} {
			t.Run(job+", "+how, func(t *testing.T) { takenOutDuring(newWorld(t, "", true), job, how) })
		}
	}
}

func takenOutDuring(w *world, job, how string) {
	w.game = earningGame
	w.restart()
	relay := testkit.NewRelay(w, w.database)
	relayed := testkit.Archive(w, relay.URL, jobs.Tables()...)
	run := func() error { _, err := jobs.New(w.app, relayed).Save(w.Context(), w.now); return err }
	players := named("p", 100)
	everybody := append(players[:len(players):len(players)], "other")
	w.many(everybody, func(*game.Mode, int) game.Score { return 50 })
	earned := int64(21)
	if strings.HasPrefix(job, "a repair") {
		require.NoError(w, w.save())
		w.nextDay(everybody)
		w.do("FLUSHALL")
		earned *= 2
	}
	w.now = w.now.Add(time.Second)
	w.restart()
	var out []string
	take := func(player string) {
		if w.takesOut(player, how) {
			out = append(out, player)
		}
	}
	if strings.HasSuffix(job, "query") {
		next := 0
		end := relay.BeforeEach(func() {
			if next < len(players) {
				next++
				w.elsewhere(func() { take(players[next-1]) })
			}
		})
		for run() != nil && next < len(players) {
			continue
		}
		end()
	} else {
		w.before(players, take, run)
	}
	require.NotEmpty(w, out)
	nothing := func(when string) {
		var left []string
		places := w.words()
		for _, player := range out {
			has, err := w.app.Wallets().Of(w.Context(), player)
			require.NoError(w, err)
			if has[0].Earned != 0 || places["table plays"][player] || places["table earned"][player] {
				left = append(left, player)
			}
		}
		require.Empty(w, left, when)
		has, err := w.app.Wallets().Of(w.Context(), "other")
		require.NoError(w, err)
		require.Equal(w, earned, has[0].Earned, when)
	}
	w.later()
	nothing("after it")
	w.do("FLUSHALL")
	w.now = w.now.Add(time.Second)
	w.restart()
	require.NoError(w, w.save())
	nothing("restored")
}

// A score is taken out of a closed day, and Redis is lost before the night that would close the
// day once more: the night after the loss does, and the coins of the score are gone. Everybody
// else has what they had.
func TestAScoreThatWasTakenOutBeforeALossEarnsNothing(t *testing.T) {
	for _, how := range []string{scoreOut, letIn} {
		onRepairs(t, strings.ReplaceAll(earningGame, "max: 1000", "max: 1000, xp: 1"), func(w *world) {
			players := named("p", 4)
			w.many(players, func(*game.Mode, int) game.Score { return 50 })
			w.nextDay(players)
			has := func(player string) []any {
				me, err := w.app.Store().Boards.Me(w.Context(), player, nil)
				require.NoError(w, err)
				coins, err := w.app.Wallets().Of(w.Context(), player)
				require.NoError(w, err)
				return []any{me.XP, me.Streak, coins}
			}
			before := has("p1")
			require.True(w, w.takesOut("p0", how))
			w.do("FLUSHALL")
			w.now = w.now.Add(time.Second)
			w.restart()
			require.NoError(w, w.save())
			require.Equal(w, before, has("p1"))
			w.now = w.now.Add(12 * time.Hour)
			w.restart()
			w.daily()
			require.Equal(w, []wallet.Balance{{Currency: "coins"}}, has("p0")[2])
			require.Equal(w, before, has("p1"))
			var earned int
			w.ask(`SELECT count(*) FROM earned WHERE player = 'p0'`, &earned)
			require.Zero(w, earned)
			commands, _ := testkit.Spent(w.client.Meter(), w.daily)
			require.LessOrEqual(w, commands, int64(60), "nothing is closed again")
		})
	}
}
