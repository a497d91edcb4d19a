package jobs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/platform/budget"
	"github.com/framedle/leaderboards/internal/platform/usage"
	"github.com/framedle/leaderboards/internal/product/jobs"
	"github.com/framedle/leaderboards/upstash"
)

const repairGame = `
name: repair
modes:
  first: {max: 1000, xp: 1, scopes: [group], details: true}
  best: {policy: best, max: 1000, aggregate: max}
  latest: {policy: latest, max: 1000, aggregate: last}
  coins: {policy: sum, max: 500, day_max: 5000}
`

// onRepairs runs a test over both kinds of Redis, with a database.
func onRepairs(t *testing.T, file string, test func(w *world)) {
	onWorlds(t, func(w *world) {
		if w.kept == nil {
			return
		}
		w.game = file
		w.restart()
		test(w)
	})
}

func (w *world) save() error {
	_, err := jobs.New(w.app, w.kept).Save(w.Context(), w.now)
	return err
}

func (w *world) do(words ...string) any {
	reply, err := w.redis.Redis().Do(w.Context(), words...)
	require.NoError(w, err)
	return reply
}

// many makes some players play every mode.
func (w *world) many(players []string, score func(m *game.Mode, i int) game.Score) {
	for i, player := range players {
		for _, m := range w.app.Game().Modes {
			w.now = w.now.Add(time.Second)
			sub := game.Submission{
				Mode: m, Player: player, Date: game.DateOf(w.now), Score: score(m, i), At: w.now, Profile: game.Profile{Name: "Name of " + player, Country: w.country},
				Idempotency: game.IdempotencyRecord{ID: fmt.Sprint(player, w.now), Fingerprint: "f"},
			}
			if m.HasScope(game.Group) {
				sub.Scopes = []game.Scope{groupOf(w, "red")}
				if m.Details {
					sub.Details = json.RawMessage(fmt.Sprintf(`{"n":%d}`, i))
				}
			}
			_, err := w.app.Store().Boards.Submit(w.Context(), sub)
			require.NoError(w, err)
		}
	}
}

func named(prefix string, n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprint(prefix, i))
	}
	return names
}

// boards returns every board with names, as a process that remembers nothing reads it.
func (w *world) boards() map[string][]string {
	w.restart()
	all := map[string][]string{}
	today := game.DateOf(w.now)
	for _, m := range w.app.Game().Modes {
		for _, scope := range []game.Scope{{}, groupOf(w, "red")} {
			var periods []game.Period
			for back := range 4 {
				periods = append(periods, game.Day.Of(today.AddDays(-back)))
			}
			if scope != (game.Scope{}) {
				if !m.HasScope(game.Group) {
					continue
				}
				periods = periods[1:] // of an open day no groups are saved
			} else {
				periods = append(periods, game.AllTime.Of(today), game.Week.Of(today), game.Month.Of(today))
			}
			for _, p := range periods {
				b := game.BoardOf(m, p, scope)
				page, err := w.app.Store().Boards.Page(w.Context(), b, game.PageRequest{Limit: 200})
				require.NoError(w, err)
				for _, e := range page.Entries {
					all[b.Key] = append(all[b.Key], fmt.Sprintf("%d %s %s %s", e.Rank, e.Player, m.FormatScore(e.Score), e.Profile.Name))
				}
			}
		}
	}
	return all
}

// past makes two closed days, and a third one that is saved.
func (w *world) past() {
	score := func(m *game.Mode, i int) game.Score { return game.Score(100 + 3*i + len(m.Name)) }
	for range 2 {
		w.many(named("p", 12), score)
		w.now = w.now.Truncate(24 * time.Hour).Add(36 * time.Hour)
		w.daily()
	}
	w.many(named("p", 9), score)
	require.NoError(w, w.save())
	require.Len(w, w.boards()["lb:first:2026-11-11:group:red"], 12)
}

// Redis is emptied and some players play on: the next cron-save restores every board. Boards
// that nobody has touched are as they were.
func TestAnEmptiedRedisIsMadeAgainByTheNextSchedule(t *testing.T) {
	onRepairs(t, repairGame, func(w *world) {
		w.past()
		before := w.boards()
		require.Len(w, before["lb:first:2026-11-12"], 9)
		w.do("FLUSHALL")
		require.NoError(w, w.save())
		require.Equal(w, before, w.boards())

		w.do("FLUSHALL")
		w.restart()
		w.many([]string{"new", "p3"}, func(*game.Mode, int) game.Score { return 40 })
		require.NoError(w, w.save())
		after := w.boards()
		for key, entries := range before {
			if slices.Contains([]string{"lb:first:2026-11-11", "lb:best:2026-11-10", "lb:coins:2026-11-11"}, key) {
				require.Equal(w, entries, after[key], key)
			}
		}
		require.Len(w, after["lb:first:2026-11-12"], 10)
		require.Contains(w, fmt.Sprint(after["lb:best:2026-11-12"]), "p3 113", "the better one stands")
		require.Contains(w, fmt.Sprint(after["lb:latest:2026-11-12"]), "p3 40", "the later one stands")
		require.Contains(w, fmt.Sprint(after["lb:coins:2026-11-12"]), "p3 154", "both count, once")

		commands, _ := testkit.Spent(w.client.Meter(), func() { require.NoError(w, w.save()) })
		require.LessOrEqual(w, commands, int64(20), "nothing is made again twice")
		require.Equal(w, after, w.boards())

		log, err := w.people().ListLog(w.Context(), "", "", 10)
		require.NoError(w, err)
		require.Equal(w, "restore", log.Entries[0].Action)
		require.Equal(w, "repair", log.Entries[0].Actor)
	})
}

// A board whose key is deleted is made again, of an open or a closed day, even if some players
// have played on it since. Until then nothing overwrites what the archive has.
func TestADeletedBoardIsMadeAgain(t *testing.T) {
	onRepairs(t, repairGame, func(w *world) {
		w.past()
		before := w.boards()
		today := game.DateOf(w.now).String()
		for _, mode := range []string{"first", "best", "latest", "coins"} {
			w.do("DEL", "lb:"+mode+":"+today)
		}
		require.NoError(w, w.save())
		require.Equal(w, before, w.boards())

		w.do("DEL", "lb:best:"+today, "lb:first:"+today)
		w.restart()
		w.many([]string{"new", "p3"}, func(*game.Mode, int) game.Score { return 40 })
		require.NoError(w, w.save())
		after := w.boards()
		require.Len(w, after["lb:best:"+today], 10)
		require.Contains(w, fmt.Sprint(after["lb:best:"+today]), "p3 113")
		require.Contains(w, fmt.Sprint(after["lb:first:"+today]), "p3 114")

		yesterday := game.DateOf(w.now).AddDays(-1).String()
		w.do("DEL", "lb:first:"+yesterday)
		w.do("DEL", "lb:best:"+today)
		w.now = w.now.Truncate(24 * time.Hour).Add(36 * time.Hour)
		w.daily()
		w.daily()
		last := w.boards()
		for _, key := range []string{"lb:first:" + yesterday, "lb:best:" + today, "lb:first:" + today} {
			require.Equal(w, after[key], last[key], key)
		}
		require.Equal(w, last, w.boards())
		require.Equal(w, after["lb:first:alltime"], last["lb:first:alltime"])
	})
}

// In a game that keeps each play, a board comes back with every play, under each policy.
func TestABoardOfAGameWithAnOutboxIsMadeAgainOfItsPlays(t *testing.T) {
	onRepairs(t, "outbox: true\n"+repairGame, func(w *world) {
		for round := range 3 {
			w.many(named("p", 8), func(_ *game.Mode, i int) game.Score { return game.Score(50 + (i*7+round*13)%29) })
		}
		require.NoError(w, w.save())
		w.many(named("p", 3), func(*game.Mode, int) game.Score { return 77 })
		before := w.boards()
		require.Len(w, before["lb:coins:2026-11-10"], 8)
		for _, mode := range []string{"first", "best", "latest", "coins"} {
			w.do("DEL", "lb:"+mode+":2026-11-10")
		}
		require.NoError(w, w.save())
		require.Equal(w, before, w.boards())
		w.do("DEL", "lb:coins:2026-11-10")
		w.restart()
		w.many([]string{"p1"}, func(*game.Mode, int) game.Score { return 9 })
		require.NoError(w, w.save())
		require.Contains(w, fmt.Sprint(w.boards()["lb:coins:2026-11-10"]), fmt.Sprintf(" p1 %d ", (50+7)+(50+20)+(50+33%29)+77+9))
		w.do("FLUSHALL")
		after := w.boards()
		require.Empty(w, after)
		require.NoError(w, w.save())
		require.Len(w, w.boards()["lb:coins:2026-11-10"], 8)
	})
}

// Whatever Redis has of a day of plays, a manual restore counts none of them twice, however
// many hours later.
func TestARestoreOfPlaysOverWhatIsThereChangesNothing(t *testing.T) {
	onRepairs(t, "outbox: true\n"+repairGame, func(w *world) {
		same := func(what string, hours int) {
			before := w.boards()
			require.Len(w, before["lb:coins:2026-11-10"], 6, what)
			for range hours {
				w.now = w.now.Add(time.Hour)
				require.NoError(w, w.save())
				require.Equal(w, before["lb:coins:2026-11-10"], w.boards()["lb:coins:2026-11-10"], what)
			}
			before = w.boards()
			w.restart()
			_, err := jobs.New(w.app, w.kept).Restore(w.Context(), closing.RestoreOptions{Force: true})
			require.NoError(w, err, what)
			require.Equal(w, before, w.boards(), what)
		}
		play := func(score game.Score, players int) {
			w.many(named("p", players), func(*game.Mode, int) game.Score { return score })
		}
		current := func(player string, total int) {
			require.Contains(w, fmt.Sprint(w.boards()["lb:coins:2026-11-10"]), fmt.Sprintf(" %s %d ", player, total))
		}
		play(50, 6)
		require.NoError(w, w.save())
		same("saved", 0)
		play(40, 6)
		w.do("DEL", "lb:coins:2026-11-10")
		require.NoError(w, w.save())
		same("a board brought back", 1)
		w.do("FLUSHALL")
		w.restart()
		play(30, 6)
		require.NoError(w, w.save())
		same("Redis lost, and played since", 1)
		current("p1", 50+40+30)
		play(20, 6)
		w.do("DEL", "lb:coins:2026-11-10")
		w.restart()
		play(10, 2)
		require.NoError(w, w.save())
		same("a board lost once more, and played since", 6)
		current("p1", 50+40+30+20+10)
		current("p5", 50+40+30+20)
	})
}

// After a loss of Redis the budget continues with what the month has cost, including what
// processes have reported since.
func TestARepairKnowsWhatTheMonthHasCost(t *testing.T) {
	w := newWorld(t, "", true)
	w.now = w.now.AddDate(70, 0, 0) // Redis drops a month's count by its own clock
	w.game = "budget: {month: 500000}\n" + repairGame
	w.restart()
	w.many(named("p", 2), func(*game.Mode, int) game.Score { return 40 })
	require.NoError(t, w.save())
	today := game.DateOf(w.now)
	for back, commands := range map[int]int64{1: 300, 2: 4000} {
		w.do("HSET", usage.Key(today.AddDays(-back)), "submit:p:player:GET /a", usage.Count{Calls: 1, Commands: commands}.String())
	}
	w.daily() // which archives those days
	w.do("FLUSHALL")
	w.do("HSET", usage.MonthKey(today), today.String(), "70")
	require.NoError(t, w.save())
	spent, err := jobs.Usage(w.app, w.kept).Month(t.Context(), today)
	require.NoError(t, err)
	require.Equal(t, budget.Spent{Before: 4300, Today: 70}, spent)
	require.Positive(t, w.do("TTL", usage.MonthKey(today)))
}

// A repair may be cut off anywhere, and two may run at once.
func TestARepairIsGoneOnWith(t *testing.T) {
	onRepairs(t, repairGame, func(w *world) {
		w.past()
		before := w.boards()
		w.do("FLUSHALL")
		w.restart()
		whole := false
		for n := int64(7); !whole; n = n*4 + 3 {
			ctx, cancel := context.WithCancel(w.Context())
			w.restart()
			var calls atomic.Int64
			gate := func(context.Context) error {
				if calls.Add(1) > n {
					cancel()
					return context.Canceled
				}
				return nil
			}
			_, err := jobs.New(w.app, w.kept).Save(upstash.WithGate(ctx, gate), w.now)
			whole = err == nil
			cancel()
			require.Less(w, n, int64(100_000))
		}
		require.Equal(w, before, w.boards())

		w.do("FLUSHALL")
		var both sync.WaitGroup
		for range 2 {
			w.restart()
			j := jobs.New(w.app, w.kept)
			both.Go(func() { _, _ = j.Save(w.Context(), w.now) })
		}
		both.Wait()
		require.NoError(w, w.save())
		require.Equal(w, before, w.boards())
	})
}

// Banned players, erased players and removed scores do not come back.
func TestARepairBringsNobodyBackWhoWasRemoved(t *testing.T) {
	onRepairs(t, repairGame, func(w *world) {
		w.past()
		removals := jobs.Removals(w.app, w.kept)
		act := func(id string) lifecycle.Act { return lifecycle.Act{ID: id, Actor: "operator", At: w.now} }
		_, err := removals.Ban(w.Context(), "p1", "cheats", act("a1"))
		require.NoError(w, err)
		_, err = removals.Erase(w.Context(), "p2", act("a2"))
		require.NoError(w, err)
		_, err = removals.Score(w.Context(), w.mode("best"), game.DateOf(w.now), "p3", act("a3"))
		require.NoError(w, err)
		before := w.boards()
		require.NotContains(w, fmt.Sprint(before), "p2")
		w.do("FLUSHALL")
		require.NoError(w, w.save())
		require.Equal(w, before, w.boards())
		w.do("DEL", "lb:best:"+game.DateOf(w.now).String())
		require.NoError(w, w.save())
		require.Equal(w, before, w.boards())
	})
}

// Nor does what was removed before cron-save had read it from the outbox.
func TestNobodyComesBackWhoWasRemovedBeforeTheOutboxWasRead(t *testing.T) {
	onRepairs(t, "outbox: true\n"+repairGame, func(w *world) {
		w.many(named("p", 6), func(*game.Mode, int) game.Score { return 50 })
		w.now = w.now.Add(time.Minute)
		removals, act := jobs.Removals(w.app, w.kept), lifecycle.Act{ID: "a", Actor: "operator", At: w.now}
		for i, mode := range []string{"best", "coins"} {
			act.ID = fmt.Sprint("a", i)
			_, err := removals.Score(w.Context(), w.mode(mode), game.DateOf(w.now), "p3", act)
			require.NoError(w, err)
		}
		for i, player := range []string{"p1", "p2"} {
			act.ID = fmt.Sprint("b", i)
			_, err := removals.Ban(w.Context(), player, "cheats", act)
			require.NoError(w, err)
		}
		act.ID = "c"
		require.NoError(w, removals.Unban(w.Context(), "p2", act))
		before := w.boards()
		require.Len(w, before["lb:best:2026-11-10"], 3)
		require.Len(w, before["lb:first:2026-11-10"], 4)
		for range 2 {
			require.NoError(w, w.save())
			require.Equal(w, before, w.boards())
		}
		w.do("DEL", "lb:best:2026-11-10")
		require.NoError(w, w.save())
		require.Equal(w, before, w.boards())
		w.do("FLUSHALL")
		require.NoError(w, w.save())
		for key, entries := range w.boards() {
			require.Len(w, entries, len(before[key]), key) // names come back with the day
		}
	})
}

// If an operator has turned repairs off, no schedule makes boards again, and none archives
// what is left of them.
func TestARepairCanBeForbidden(t *testing.T) {
	onRepairs(t, repairGame, func(w *world) {
		w.past()
		w.do("FLUSHALL")
		w.restart()
		w.many([]string{"new"}, func(*game.Mode, int) game.Score { return 40 })
		j := jobs.New(w.app, w.kept)
		j.Repairs(false)
		_, err := j.Save(w.Context(), w.now)
		require.ErrorContains(w, err, "lbctl restore")
		require.Len(w, w.boards()["lb:best:"+game.DateOf(w.now).String()], 1)
	})
}

// A Redis that is back at an older backup lacks players who have come since: with their scores
// come their names and countries. Who has changed since, and who was erased, stays so.
func TestProfilesComeBackWithTheirPlayersScores(t *testing.T) {
	for _, schedule := range []string{"cron-daily", "cron-save"} {
		t.Run(schedule, func(t *testing.T) {
			onRepairs(t, strings.Replace(repairGame, "scopes: [group]", "scopes: [country, group]", 1), func(w *world) {
				w.country = "FR"
				w.past()
				d := game.DateOf(w.now)
				back := named("p", 9)
				if schedule == "cron-daily" {
					w.now = w.now.AddDate(0, 0, 1)
					w.daily()
				}
				profile := func(player string) string {
					return fmt.Sprint(w.do("HGET", game.ProfilesKey, player), w.do("ZSCORE", game.CountriesKey, player))
				}
				whole := `"name":"Name of p4","country":"FR"}147`
				require.Contains(w, profile("p4"), whole)
				w.do(append([]string{"HDEL", game.ProfilesKey}, back...)...)
				w.do(append([]string{"ZREM", game.CountriesKey}, back...)...)
				w.do("HSET", game.ProfilesKey, "p2", fmt.Sprintf(`{"at":%d,"name":"Newer"}`, w.now.Add(time.Hour).UnixMilli()))
				w.do("HSET", game.ProfilesKey, "p3", `{"at":1000,"name":"Older"}`)
				for _, m := range w.app.Game().Modes {
					w.do("DEL", game.DayBoardKey(m.Name, d))
				}
				w.restart()
				if schedule == "cron-daily" {
					w.daily()
				} else {
					require.NoError(w, w.save())
				}
				require.Contains(w, profile("p4"), whole)
				require.Contains(w, profile("p2"), "Newer")
				require.Contains(w, profile("p3"), "Name of p3")
				fr, err := game.ParseScope("country:FR")
				require.NoError(w, err)
				w.restart()
				page, err := w.app.Store().Boards.Page(w.Context(), game.BoardOf(w.mode("first"), game.Day.Of(d), fr), game.PageRequest{Limit: 50})
				require.NoError(w, err)
				require.Len(w, page.Entries, 8, "all but p2, of whom Redis knows something newer")
			})
		})
	}
}
