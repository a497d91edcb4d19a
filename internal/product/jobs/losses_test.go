package jobs_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const lossesGame = `
name: losses
modes:
  first: {max: 1000, xp: 1, scopes: [group]}
  coins: {policy: sum, max: 500, day_max: 5000}
seasons: [{name: turn, first: 2026-12-28, last: 2027-01-05}, {name: all, first: 2027-01-06, last: 2027-12-20}]
`

// nights is a world in which the same three players play every mode each day, and sometimes a
// fourth.
type nights struct {
	*world
	first  game.Date
	visits game.Score // of the fourth player
}

func (w *nights) begin() {
	w.now = time.Date(2026, 12, 28, 0, 0, 0, 0, time.UTC) // a Monday
	w.first, w.visits = game.DateOf(w.now), 0
	for range 9 { // until a day has been rolled up
		w.day()
		w.night()
		w.runs("daily")
		if w.now.Weekday() == time.Monday {
			w.runs("weekly")
		}
	}
}

// day lets the three play until noon, and saves the day.
func (w *nights) day() {
	w.now = w.now.Truncate(24 * time.Hour).Add(12 * time.Hour)
	w.restart()
	w.many([]string{"ana", "ben", "cleo"}, func(_ *game.Mode, i int) game.Score { return game.Score(10 + i) })
	w.runs("save")
}

func (w *nights) night() { w.now = w.now.Truncate(24 * time.Hour).Add(24*time.Hour + 20*time.Minute) }

func (w *nights) runs(schedule string) { require.NoError(w, w.run(schedule)) }

// run runs a schedule in a new process, which remembers nothing.
func (w *nights) run(schedule string) (err error) {
	w.restart()
	j := jobs.New(w.app, w.kept)
	j.Repairs(true)
	switch schedule {
	case "save":
		_, err = j.Save(w.Context(), w.now)
	case "daily":
		_, err = j.Daily(w.Context(), w.now)
	case "weekly":
		_, err = j.Weekly(w.Context(), w.now)
	}
	return err
}

// lose empties Redis. If visited, the fourth player plays right after that.
func (w *nights) lose(visited bool) {
	w.do("FLUSHALL")
	if !visited {
		return
	}
	running := w.app
	w.restart()
	w.many([]string{"zoe"}, func(*game.Mode, int) game.Score { return 5 })
	w.visits++
	w.app = running
}

// recover makes the runs that follow a run during which Redis was lost.
func (w *nights) recover(what string) {
	var err error
	for range 3 {
		w.do("DEL", game.LockKey("daily"), game.LockKey("save"), game.LockKey("repair")) // as if they had expired
		if err = w.run("save"); err == nil {
			err = w.run("daily")
		}
	}
	require.NoError(w, err, what)
	if w.now.Weekday() == time.Monday {
		require.NoError(w, w.run("weekly"), what)
	}
}

// agree asserts that all players have what they have played, up to yesterday.
func (w *nights) agree(what string) {
	w.restart()
	yesterday := game.DateOf(w.now).AddDays(-1)
	for _, m := range w.app.Game().Modes {
		for _, p := range w.app.Game().PeriodsOf(yesterday) {
			days := yesterday.DaysSince(w.first) + 1
			if p.Kind() != game.AllTime {
				days = yesterday.DaysSince(later(p.First(), w.first)) + 1
			}
			page, err := w.app.Store().Boards.Page(w.Context(), game.BoardOf(m, p, game.Scope{}), game.PageRequest{Limit: 10})
			require.NoError(w, err)
			stand := map[string]game.Score{}
			for _, e := range page.Entries {
				stand[e.Player] = e.Score
			}
			for i, player := range []string{"ana", "ben", "cleo"} {
				require.EqualValues(w, (10+i)*days, stand[player], "%s on %s: %s", player, game.BoardOf(m, p, game.Scope{}).Key, what)
			}
			if p.Kind() == game.AllTime {
				require.Equal(w, 5*w.visits, stand["zoe"], "%s: %s", m.Name, what)
			}
		}
	}
	me, err := w.app.Store().Boards.Me(w.Context(), "ana", nil)
	require.NoError(w, err)
	require.EqualValues(w, 10*(yesterday.DaysSince(w.first)+1), me.XP, what)
	require.Equal(w, yesterday.DaysSince(w.first)+1, me.Streak.Current, what)
}

func later(a, b game.Date) game.Date {
	if a.Before(b) {
		return b
	}
	return a
}

// Redis is emptied before any one request of a schedule, and a player may play right after
// that: the runs that follow bring everything back as it was, counted once.
func TestALossDuringARunIsMadeGoodByThoseThatFollow(t *testing.T) {
	for schedule, step := range map[string]int{"save": 3, "daily": 9, "weekly": 25} {
		t.Run(schedule, func(t *testing.T) {
			onRepairs(t, lossesGame, func(of *world) {
				w := &nights{world: of}
				w.begin()
				for n, more := anyOf(step), true; more; n += step {
					w.day()
					if schedule != "save" {
						w.night()
					}
					for schedule == "weekly" && w.now.Weekday() != time.Monday {
						w.runs("daily")
						w.day()
						w.night()
					}
					if schedule == "weekly" {
						w.runs("daily")
					}
					end := testkit.Before(w.redis, (n+1)/2, func() { w.lose(n%2 == 0) })
					err := w.run(schedule)
					more = end()
					if schedule == "save" {
						w.night()
					}
					what := fmt.Sprintf("lost before request %d of %s, which said %v", (n+1)/2, schedule, err)
					w.recover(what)
					w.agree(what)
				}
			})
		})
	}
}

// anyOf draws from 1 to step. Each run of the tests begins at another request, so that several
// runs cover all, and a failure names the request.
func anyOf(step int) int { return 1 + rand.IntN(step) }

// The same holds if Redis is lost once more while it is being restored.
func TestALossDuringARepairIsMadeGoodByTheNext(t *testing.T) {
	onRepairs(t, lossesGame, func(of *world) {
		w := &nights{world: of}
		w.begin()
		for n, more := anyOf(31), true; more; n += 31 { // a day that is over is some 5 requests more
			w.day()
			w.do("FLUSHALL")
			end := testkit.Before(w.redis, n, func() { w.lose(n%2 == 0) })
			err := w.run("save")
			more = end()
			w.night()
			what := fmt.Sprintf("lost before request %d of a repair, which said %v", n, err)
			w.recover(what)
			w.agree(what)
		}
	})
}

// A restore over a complete Redis changes nothing, on any day of a month, season or week.
func TestARestoreOverWhatIsThereChangesNothing(t *testing.T) {
	onRepairs(t, lossesGame, func(of *world) {
		w := &nights{world: of}
		w.begin()
		for range 12 {
			w.day()
			w.night()
			w.runs("daily")
			w.agree("before")
			w.restart()
			_, err := jobs.New(w.app, w.kept).Restore(w.Context(), closing.RestoreOptions{})
			require.NoError(w, err)
			w.agree(fmt.Sprint("restored at ", w.now))
		}
	})
}
