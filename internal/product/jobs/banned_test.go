package jobs_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

const bannedGame = `
name: banned
leagues: {tiers: [Wood, Tin, Iron]}
badges: {top: {title: T, rank: 100, period: day}, best: {title: B, rank: 100, period: week}}
modes:
  first: {max: 1000, xp: 1, scopes: [country, group], teams: sum, details: true}
  coins: {policy: sum, max: 500, day_max: 5000, scopes: [group], xp: 1}
`

// elsewhere runs do in another process, while this one may be at work.
func (w *world) elsewhere(do func()) {
	running := w.app
	w.restart()
	do()
	w.app = running
}

// Ways to remove what players have played.
const (
	banned   = "banned"
	letIn    = "banned and let in again"
	scoreOut = "taken out score by score"
)

// takesOut removes a player in one of these ways. It reports false if the removal was refused.
func (w *world) takesOut(player, how string) bool {
	removals := jobs.Removals(w.app, w.kept)
	act := lifecycle.Act{ID: how + player, Actor: "operator", At: w.now}
	if how != scoreOut {
		_, err := removals.Ban(w.Context(), player, "cheats", act)
		require.NoError(w, err)
		if how == letIn {
			w.letsIn(player)
		}
		return true
	}
	today := game.DateOf(w.now)
	for _, m := range w.app.Game().Modes {
		for d := game.NewDate(2026, 11, 10); !d.After(today); d = d.AddDays(1) {
			act.ID = fmt.Sprint(how, player, m.Name, d)
			if _, err := removals.Score(w.Context(), m, d, player, act); err != nil {
				require.ErrorIs(w, err, lifecycle.ErrHistory)
				return false
			}
		}
	}
	return true
}

func (w *world) letsIn(player string) {
	require.NoError(w, jobs.Removals(w.app, w.kept).Unban(w.Context(), player, lifecycle.Act{ID: "unban " + player, Actor: "operator", At: w.now}))
}

// nextDay closes a day. The players play on the next one too, which is saved.
func (w *world) nextDay(players []string) {
	w.now = w.now.Truncate(24*time.Hour).AddDate(0, 0, 1).Add(2 * time.Hour)
	w.daily()
	w.many(players, func(*game.Mode, int) game.Score { return 5 })
	require.NoError(w, w.save())
}

// later runs the schedules that follow.
func (w *world) later() {
	for _, at := range []time.Duration{30 * time.Minute, 4 * time.Hour, 24 * time.Hour} {
		w.now = w.now.Add(at)
		w.restart()
		require.NoError(w, w.save())
		w.daily()
		require.NoError(w, w.save())
	}
	_, err := jobs.New(w.app, w.kept).Weekly(w.Context(), w.now)
	require.NoError(w, err)
}

// stays are the places that keep a removed player's id: how the player is shown, the player's
// groups and seat in a league, and what was done to the player.
var stays = []string{"profiles", game.CountriesKey, game.ProfilesKey, game.StreaksKey, "table profiles", "table audit", "table bans", "table league_seats"}

// nowhere requires that players who were removed during something are in no place, and have
// neither XP nor a streak.
func (w *world) nowhere(players []string, while string) {
	w.nowhereStands(players, while)
	for _, player := range players {
		me, err := w.app.Store().Boards.Me(w.Context(), player, nil)
		require.NoError(w, err)
		require.Zero(w, me.XP, "%s of %s", player, while)
		require.Zero(w, me.Streak.Best, "%s of %s", player, while)
	}
}

// nowhereStands requires that players who were removed during something are on no board and in
// no other place.
func (w *world) nowhereStands(players []string, while string) {
	left := map[string][]string{}
	for place, words := range w.words() {
		for i, player := range players {
			if words[player] && !slices.Contains(stays, place) {
				name := fmt.Sprintf("%s, number %d", player, i+1)
				left[name] = append(left[name], place)
			}
		}
	}
	require.Empty(w, left, "taken out during %s", while)
}

// before calls do in another process before each request of a run, each time with the next
// player. It repeats the run until no request of it was interrupted, and returns the number of
// interrupted requests.
func (w *world) before(players []string, do func(player string), run func() error) (requests int) {
	doing := false
	w.redis.Inject(func(upstashtest.Request) (none upstashtest.Fault) {
		if doing || requests == len(players) {
			return none
		}
		doing = true
		defer func() { doing = false }()
		w.elsewhere(func() { do(players[requests]) })
		requests++
		return none
	})
	for run() != nil && requests < len(players) { // the next run does what this one left
		continue
	}
	w.redis.Inject(nil)
	return requests
}

// One player's scores are removed before each request of a repair: neither the repair nor the
// runs that follow bring any of them back. The same holds for players who are banned, and
// unbanned before anything looks after the ban.
func TestWhatIsTakenOutDuringARepairStandsNowhere(t *testing.T) {
	for _, how := range []string{scoreOut, letIn} {
		t.Run(how, func(t *testing.T) {
			w := newWorld(t, "", true)
			w.game = bannedGame
			w.restart()
			players := named("p", 95)
			w.many(players, func(m *game.Mode, i int) game.Score { return game.Score(100 + i + len(m.Name)) })
			require.NoError(t, w.save())
			w.nextDay(players)
			w.do("FLUSHALL")
			w.now = w.now.Add(time.Second)
			w.restart()
			var out []string
			w.before(players, func(player string) {
				if w.takesOut(player, how) {
					out = append(out, player)
				}
			}, w.save)
			w.later()
			require.NotEmpty(t, out)
			w.nowhere(out, "a repair")
		})
	}
}

// The same holds if a run comes between the requests that remove a player.
func TestWhoIsTakenOutWhileARunComesBetweenStandsNowhere(t *testing.T) {
	for _, run := range []string{"cron-save", "cron-daily"} {
		for _, how := range []string{letIn, scoreOut} {
			t.Run(run+", "+how, func(t *testing.T) {
				w := newWorld(t, "", true)
				w.game = bannedGame
				w.restart()
				do := func() { require.NoError(t, w.save()) }
				players := named("p", 80)
				if run == "cron-daily" {
					w.many(players, func(*game.Mode, int) game.Score { return 50 })
					w.now = w.now.AddDate(0, 0, 1)
					do = w.daily
				}
				var out []string
				for n, more := anyOf(2), true; more; n += 2 {
					player := players[len(out)]
					w.restart()
					if run == "cron-save" {
						w.many([]string{player}, func(*game.Mode, int) game.Score { return 50 })
					}
					w.now = w.now.Add(time.Second)
					w.restart()
					end := testkit.Before(w.redis, n, func() { w.elsewhere(do) })
					require.True(t, w.takesOut(player, how))
					more = end()
					out = append(out, player)
				}
				w.later()
				w.nowhere(out, run)
			})
		}
	}
}

// A player who is unbanned during a repair may play.
func TestWhoIsLetInAgainDuringARepairMayPlay(t *testing.T) {
	w := newWorld(t, "", true)
	w.game = bannedGame
	w.restart()
	players := named("p", 120)
	w.many(named("q", 9), func(*game.Mode, int) game.Score { return 50 })
	require.NoError(t, w.save())
	for _, player := range players {
		w.takesOut(player, banned)
	}
	w.do("FLUSHALL")
	w.restart()
	lifted := w.before(players, w.letsIn, w.save)
	w.restart()
	for i, player := range players {
		known, err := w.kept.Bans.Has(t.Context(), player)
		require.NoError(t, err)
		out, err := w.app.Store().Notices.IsBanned(t.Context(), player)
		require.NoError(t, err)
		require.Equal(t, i >= lifted, out, "let in before request %d", i+1)
		require.Equal(t, out, known, "let in before request %d", i+1)
	}
}

// A player stays banned if Redis is lost during the ban, and restored.
func TestABanDuringWhichRedisIsLostStands(t *testing.T) {
	w := newWorld(t, "", true)
	w.game = bannedGame
	w.restart()
	players := named("p", 40)
	w.many(players, func(*game.Mode, int) game.Score { return 50 })
	require.NoError(t, w.save())
	for n, more := 1, true; more; n++ {
		w.now = w.now.Add(time.Second)
		w.restart()
		end := testkit.Before(w.redis, n, func() {
			w.elsewhere(func() {
				w.do("FLUSHALL")
				require.NoError(t, w.save())
			})
		})
		w.takesOut(players[n], banned)
		more = end()
		w.restart()
		out, err := w.app.Store().Notices.IsBanned(t.Context(), players[n])
		require.NoError(t, err)
		require.True(t, out, "lost before request %d", n)
	}
}
