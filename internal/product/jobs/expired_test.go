package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

// expires lets the keys of days expire whose life is over. Redis does so by a clock that a test
// cannot move.
func (w *world) expires() {
	for d := game.NewDate(2026, 11, 1); !w.app.Store().DB.Alive(d); d = d.AddDays(1) {
		for _, m := range w.app.Game().Modes {
			w.do("DEL", game.DayBoardKey(m.Name, d), game.BoardKey(m.Name, game.Day.Of(d), groupOf(w, "red")), game.DetailsKey(m.Name, d))
		}
		w.do("DEL", game.XPDayKey(d))
	}
}

// misses lets some days pass on which no schedule runs.
func (w *world) misses(days int) {
	w.now = w.now.Truncate(24*time.Hour).AddDate(0, 0, days).Add(12 * time.Hour)
	w.restart()
	w.expires()
}

// dailyReport closes days, and returns what that did.
func (w *world) dailyReport() closing.Daily {
	did, err := jobs.New(w.app, w.kept).Daily(w.Context(), w.now)
	require.NoError(w, err)
	return did.(closing.Daily)
}

// ever is the board of all time of everybody or a group, as a process that remembers nothing
// reads it.
func (w *world) ever(mode string, scope game.Scope) (players map[string]game.Score, page game.Page) {
	w.restart()
	m := &game.ModeOfXP
	if mode != game.XPMode {
		m = w.mode(mode)
	}
	b := game.BoardOf(m, game.AllTime.Of(game.DateOf(w.now)), scope)
	page, err := w.app.Store().Boards.Page(w.Context(), b, game.PageRequest{Limit: 200})
	require.NoError(w, err)
	players = map[string]game.Score{}
	for _, e := range page.Entries {
		players[e.Player] = e.Score
	}
	return players, page
}

func fixed(score game.Score) func(*game.Mode, int) game.Score {
	return func(*game.Mode, int) game.Score { return score }
}

// A day whose only score was removed is not lost, whenever that happened and however long no
// schedule has run: the boards that outlive it go on.
func TestADayThatHoldsNothingIsNotLost(t *testing.T) {
	for name, close := range map[string]struct{ before, after bool }{
		"never closed": {false, false}, "closed before": {true, false}, "closed after": {false, true}, "closed before and after": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			onWorlds(t, func(w *world) {
				w.game = repairGame
				w.restart()
				red := groupOf(w, "red")
				w.many([]string{"cheat"}, fixed(100))
				if close.before {
					w.now = w.now.AddDate(0, 0, 1)
					w.daily()
				}
				removals := jobs.Removals(w.app, w.kept)
				for _, m := range w.app.Game().Modes {
					_, err := removals.Score(w.Context(), m, game.NewDate(2026, 11, 10), "cheat", lifecycle.Act{ID: "a" + m.Name, Actor: "operator", At: w.now})
					require.NoError(w, err)
				}
				if close.after {
					w.now = w.now.AddDate(0, 0, 1)
					w.daily()
				}
				for range 3 {
					w.misses(1)
					w.many([]string{"ana"}, fixed(10))
				}
				w.misses(6)
				w.many([]string{"ana", "new"}, fixed(10))
				for range 2 {
					for mode, score := range map[string]game.Score{"first": 40, "coins": 40, "best": 10, "latest": 10} {
						all, _ := w.ever(mode, game.Scope{})
						require.Equal(w, map[string]game.Score{"ana": score, "new": 10}, all, mode)
					}
					all, _ := w.ever("first", red)
					require.Equal(w, map[string]game.Score{"ana": 40, "new": 10}, all)
					require.Empty(w, w.dailyReport().Expired)
				}
			})
		})
	}
}

// A day that was emptied and played again is a day like others: it is lost if Redis loses it.
func TestADayThatIsPlayedAgainAfterItsOnlyScoreWasRemovedCanBeLost(t *testing.T) {
	onWorlds(t, func(w *world) {
		w.game = repairGame
		w.restart()
		w.many([]string{"cheat"}, fixed(100))
		removals := jobs.Removals(w.app, w.kept)
		for _, m := range w.app.Game().Modes {
			_, err := removals.Score(w.Context(), m, game.DateOf(w.now), "cheat", lifecycle.Act{ID: "a" + m.Name, Actor: "operator", At: w.now})
			require.NoError(w, err)
		}
		if w.kept != nil {
			w.restart() // the next player's process knows nothing of the day
		}
		w.many([]string{"ana"}, fixed(10))
		w.misses(1)
		require.NoError(w, w.app.Store().Rollup.Calendar.ListDays(w.Context()))
		require.Equal(w, "0", fmt.Sprint(w.do("HGET", game.DaysKey("first"), "2026-11-10")))
		w.misses(12)
		require.Contains(w, w.dailyReport().Expired, "lb:first:2026-11-10")
	})
}

// A day that really expired before it was rolled up, and that the archive has, comes back with
// the next run of either schedule: with its groups and XP.
func TestADayThatExpiredComesBackFromTheArchive(t *testing.T) {
	for name, closed := range map[string]bool{"closed": true, "only saved": false} {
		for _, schedule := range []string{"cron-daily", "cron-save"} {
			t.Run(name+", "+schedule, func(t *testing.T) {
				onRepairs(t, repairGame, func(w *world) {
					w.many(named("p", 12), fixed(100))
					w.many([]string{"cheat"}, fixed(900))
					w.now = w.now.AddDate(0, 0, 1)
					if closed {
						w.daily()
					} else {
						require.NoError(w, w.save())
					}
					removals := jobs.Removals(w.app, w.kept)
					for _, m := range w.app.Game().Modes {
						_, err := removals.Score(w.Context(), m, game.NewDate(2026, 11, 10), "cheat", lifecycle.Act{ID: "a" + m.Name, Actor: "operator", At: w.now})
						require.NoError(w, err)
					}
					w.misses(9)
					w.many([]string{"p3", "new"}, fixed(10))
					if schedule == "cron-daily" {
						require.Len(w, w.dailyReport().Returned, 4)
					} else {
						w.now = w.now.Truncate(24 * time.Hour).Add(24*time.Hour + time.Minute)
						require.NoError(w, w.save())
					}
					red := groupOf(w, "red")
					for range 2 {
						for mode, want := range map[string]game.Score{"first": 110, "coins": 110, "best": 100, "latest": 10} {
							all, page := w.ever(mode, game.Scope{})
							require.Len(w, all, 13, mode)
							require.Equal(w, want, all["p3"], mode)
							require.Equal(w, game.Score(100), all["p0"], mode)
							require.Equal(w, game.Score(10), all["new"], mode)
							require.NoError(w, page.Stale)
						}
						if closed { // of an open day no groups are saved
							all, _ := w.ever("first", red)
							require.Len(w, all, 13)
							require.Equal(w, game.Score(110), all["p3"])
						}
						all, _ := w.ever(game.XPMode, game.Scope{})
						require.Equal(w, game.Score(100), all["p0"])
						w.now = w.now.Truncate(24 * time.Hour).Add(36 * time.Hour)
						w.restart()
						did := w.dailyReport()
						require.Empty(w, did.Expired)
						require.Empty(w, did.Returned)
					}
				})
			})
		}
	}
}

// As long as a lost day has not come back, the boards that outlive it are stale, as old as they
// are; but a player's own card has everything that was answered, and the lost day too.
func TestABoardThatLacksADayIsStale(t *testing.T) {
	onRepairs(t, repairGame, func(w *world) {
		w.many(named("p", 12), fixed(100))
		w.now = w.now.AddDate(0, 0, 1)
		w.daily()
		w.misses(7)
		made := w.now
		_, page := w.ever("coins", game.Scope{})
		require.NoError(w, page.Stale)
		for _, mode := range []string{"first", "best", "latest"} {
			w.ever(mode, game.Scope{})
		}
		w.misses(1)
		w.now = w.now.Add(time.Hour)
		w.many([]string{"p3", "new"}, fixed(10))
		for _, mode := range []string{"first", "coins", "best", "latest"} {
			for process := range 2 {
				w.restart()
				found := 0
				reads := leaderboard.NewReader(w.app.Store().Boards, jobs.NewHistory(w.kept), func() { found++ })
				b := game.BoardOf(w.mode(mode), game.AllTime.Of(game.DateOf(w.now)), game.Scope{})
				read, err := reads.Page(w.Context(), b, game.PageRequest{Limit: 50})
				require.NoError(w, err)
				require.ErrorIs(w, read.Found.Stale, leaderboard.ErrLacking)
				require.Equal(w, made, read.Found.UpdatedAt.UTC(), "%s, process %d", mode, process)
				require.GreaterOrEqual(w, len(read.Found.Entries), 12)
				require.Equal(w, 1, found, "a repair is asked for")
				sum := map[string]game.Score{"first": 110, "coins": 110, "best": 100, "latest": 10}[mode]
				for player, want := range map[string]game.Score{"p3": sum, "new": 10, "p0": 100} {
					card, err := reads.Card(w.Context(), b, player)
					require.NoError(w, err, player)
					require.Equal(w, want, card.Found.Score, "%s on %s, process %d", player, mode, process)
					require.ErrorIs(w, card.Found.Stale, leaderboard.ErrLacking)
				}
			}
		}
		w.now = w.now.Add(time.Minute)
		w.daily()
		all, page := w.ever("coins", game.Scope{})
		require.NoError(w, page.Stale)
		require.Equal(w, w.now, page.UpdatedAt)
		require.Len(w, all, 13)
	})
}

// Neither Redis nor the archive has the day: the board stays as it was, and shows who is new.
func TestABoardThatLacksADayForGoodShowsWhoIsNew(t *testing.T) {
	onWorlds(t, func(w *world) {
		w.game = repairGame
		w.restart()
		w.many(named("p", 12), fixed(100))
		w.misses(8)
		w.ever("coins", game.Scope{})
		w.misses(1)
		w.many([]string{"p3", "new"}, fixed(10))
		w.restart()
		var archive leaderboard.Archive
		if w.kept != nil {
			archive = away{jobs.NewHistory(w.kept)}
		}
		reads := leaderboard.NewReader(w.app.Store().Boards, archive, nil)
		b := game.BoardOf(w.mode("coins"), game.AllTime.Of(game.DateOf(w.now)), game.Scope{})
		for player, want := range map[string]game.Score{"p3": 100, "new": 10} {
			card, err := reads.Card(w.Context(), b, player)
			require.NoError(w, err, player)
			require.Equal(w, want, card.Found.Score, player)
			require.ErrorIs(w, card.Found.Stale, leaderboard.ErrLacking)
		}
	})
}

// away is an archive that does not answer for single players.
type away struct{ leaderboard.Archive }

func (away) Lookup(context.Context, game.Board, []string) ([]game.Entry, error) {
	return nil, errors.New("away")
}

// Every page of a board that Redis has lost says so, until it is whole: the next pages too, those
// that were looked at meanwhile, and that of an expired day that nobody has any more.
func TestEveryPageOfALostBoardIsWholeOrStale(t *testing.T) {
	onRepairs(t, repairGame, func(w *world) {
		w.past()
		w.restart()
		old := leaderboard.NewReader(w.app.Store().Boards, jobs.NewHistory(w.kept), nil)
		b := game.BoardOf(w.mode("coins"), game.AllTime.Of(game.DateOf(w.now)), game.Scope{})
		read := func(from *leaderboard.Reader, offset int64) game.Page {
			page, err := from.Page(w.Context(), b, game.PageRequest{Limit: 5, Offset: offset})
			require.NoError(w, err)
			return page.Found
		}
		require.EqualValues(w, 12, read(old, 0).Total)
		w.do("FLUSHALL")
		w.restart()
		fresh := leaderboard.NewReader(w.app.Store().Boards, jobs.NewHistory(w.kept), nil)
		for name, from := range map[string]*leaderboard.Reader{"old": old, "new": fresh} {
			page := read(from, 5)
			require.True(w, leaderboard.NotWhole(page.Stale), name)
			require.Zero(w, page.Total, name)
		}
		require.True(w, leaderboard.NotWhole(read(fresh, 0).Stale))
		_, err := jobs.New(w.app, w.kept).Restore(w.Context(), closing.RestoreOptions{})
		require.NoError(w, err)
		for name, from := range map[string]*leaderboard.Reader{"old": old, "new": fresh} {
			page := read(from, 5)
			require.NoError(w, page.Stale, name)
			require.EqualValues(w, 12, page.Total, name)
			require.Len(w, page.Entries, 5, name)
		}
		w.do("HSET", game.DaysKey("coins"), "2026-10-20", "0") // it was never saved
		lost := game.BoardOf(w.mode("coins"), game.Day.Of(game.NewDate(2026, 10, 20)), game.Scope{})
		page, err := fresh.Page(w.Context(), lost, game.PageRequest{Limit: 5})
		require.NoError(w, err)
		require.True(w, leaderboard.NotWhole(page.Found.Stale))
		lost.Period = game.Day.Of(game.NewDate(2026, 10, 21))
		lost = game.BoardOf(w.mode("coins"), lost.Period, game.Scope{})
		page, err = fresh.Page(w.Context(), lost, game.PageRequest{Limit: 5})
		require.NoError(w, err)
		require.NoError(w, page.Found.Stale, "nobody has played")
	})
}
