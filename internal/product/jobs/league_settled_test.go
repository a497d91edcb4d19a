package jobs_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/league"
	"github.com/framedle/leaderboards/internal/feature/league/leaguestore"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const settledGame = `
name: settled
leagues: {tiers: [Wood]}
modes:
  first: {max: 1000, xp: 1}
  coins: {policy: sum, max: 500, day_max: 5000, xp: 1}
`

// More ways: see takesOut.
const (
	erased = "erased"
	lifted = "banned before, and let in"
)

// weeks is a world in which three honest players play on each Monday and Sunday, and two whom
// something will happen to. Of these the first has a seat before the week is settled, the
// second has none.
type weeks struct {
	*world
	relay   *testkit.Relay
	relayed *archive.Archive // for the runs; everything else goes past the relay
	played  int
}

var honest = []string{"q1", "q2", "q3"}

func newWeeks(t *testing.T, address string) *weeks {
	w := &weeks{world: newWorld(t, address, true)}
	w.game = settledGame
	w.relay = testkit.NewRelay(t, w.database)
	w.relayed = testkit.Archive(t, w.relay.URL, jobs.Tables()...)
	return w
}

// play plays a week, up to the moment on Monday at which cron-daily runs. It returns the two
// players.
func (w *weeks) play() [2]string {
	w.played++
	players := [2]string{fmt.Sprintf("p%da", w.played), fmt.Sprintf("p%db", w.played)}
	monday := game.Week.Of(game.DateOf(w.now)).First().AddDays(7)
	w.now = monday.Midnight().Add(12 * time.Hour)
	w.restart()
	score := func(_ *game.Mode, i int) game.Score { return game.Score(50 - i) }
	w.many(append([]string{players[0]}, honest...), score)
	w.now = w.now.Add(time.Minute)
	w.look()
	w.now = monday.AddDays(6).Midnight().Add(12 * time.Hour)
	w.restart()
	w.many([]string{players[0], players[1]}, func(*game.Mode, int) game.Score { return 100 })
	w.many(honest, score)
	w.now = monday.AddDays(7).Midnight().Add(20 * time.Minute)
	w.restart()
	return players
}

func (w *weeks) look() {
	_, err := jobs.Leagues(w.app, w.kept).PlayerLeague(w.Context(), "q1")
	require.NoError(w, err)
}

// week is the one that has just ended.
func (w *weeks) week() game.Period {
	last, _ := game.Week.Of(game.DateOf(w.now)).Previous()
	return last
}

// settling reports whether the week is being settled just now, or is settled.
func (w *weeks) settling() (now, over bool) {
	w.ask(`SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted)`, &now)
	w.ask(`SELECT EXISTS (SELECT FROM league_weeks WHERE week = $1 AND settled_at IS NOT NULL)`, &over, w.week().First().Midnight())
	return now, over
}

// seats lists all seats as they are kept.
func (w *weeks) seats() (all string) {
	w.ask(`SELECT coalesce(string_agg(s::text, E'\n' ORDER BY player, week), '') FROM league_seats AS s`, &all)
	return all
}

func (w *weeks) result(player string) []league.Result {
	all, err := leaguestore.In(w.kept).Of(w.Context(), player, game.DateOf(w.now), 1)
	require.NoError(w, err)
	if len(all) > 0 && all[0].Week != w.week().First() {
		return nil
	}
	return all
}

// does does to a player what happens during the run.
func (w *weeks) does(how, player string) {
	switch how {
	case erased:
		w.erases(player)
	case lifted:
		w.letsIn(player)
	default:
		w.takesOut(player, how)
	}
}

// around are those of the two players who come before the honest ones, and those who come
// behind them, if what happens happened in time, or not. A player who is let in has the XP of
// the Monday, which no ban takes out any more.
func around(players [2]string, how string, inTime bool) (first, last []string) {
	switch {
	case how == lifted && !inTime, how == erased, how == banned && inTime:
		return nil, nil
	case how == lifted, how == letIn && inTime:
		return nil, players[:1]
	}
	return players[:], nil
}

// settled checks how the week has ended. first are those of the two players who came before the
// honest ones, last those who came behind them.
func (w *weeks) settled(first, last []string, when string) {
	all := slices.Concat(first, honest, last)
	for i, player := range all {
		ended := w.result(player)
		require.Len(w, ended, 1, "%s, %s", player, when)
		require.Equal(w, [2]int{i + 1, len(all)}, [2]int{ended[0].Place, ended[0].Of}, "%s, %s", player, when)
	}
	w.keep(when)
	var seats int
	w.ask(`SELECT count(*) FROM league_seats WHERE week = $1`, &seats, w.week().First().Midnight())
	require.Equal(w, len(all), seats, when)
}

// keep checks that the honest players have their seats and their XP.
func (w *weeks) keep(when string) {
	for i, player := range honest {
		ended := w.result(player)
		require.Len(w, ended, 1, "%s, %s", player, when)
		require.EqualValues(w, 2*(49-i)+2*(50-i), ended[0].XP, "%s, %s", player, when)
	}
}

// Two players are banned, banned and let in again, let in, or erased before each request and
// each query of the run that settles their week, one with a seat and one who would get a seat
// then. If that was answered before the week was settled, it ends as if it had always been so:
// who is banned has no place, and everybody else has the place that follows. Who is erased never
// has one. The others keep seats and XP, and what runs later changes nothing.
func TestWhoIsTakenOutWhileAWeekIsSettledHasNoPlace(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		for _, run := range []string{"cron-daily", "cron-weekly"} {
			for _, how := range []string{banned, letIn, lifted, erased} {
				t.Run(run+", "+how, func(t *testing.T) {
					w := newWeeks(t, address)
					steps := map[string]int{"request": 29, "query": 9}
					if run == "cron-daily" {
						steps = map[string]int{"request": 61, "query": 31}
					}
					for kind, step := range steps {
						for n, more := anyOf(step), true; more; n += step {
							more = w.takenOut(run, how, kind, n)
						}
					}
				})
			}
		}
	})
}

// takenOut plays a week in which something happens before the n-th request, or query, of the
// run that settles it. It reports whether there was one.
func (w *weeks) takenOut(run, how, kind string, n int) (more bool) {
	players := w.play()
	when := fmt.Sprintf("%s %d", kind, n)
	if how == lifted {
		w.takesOut(players[0], banned)
		w.takesOut(players[1], banned)
	}
	if run == "cron-weekly" {
		_, err := jobs.New(w.app, w.kept).Closing().Daily(w.Context())
		require.NoError(w, err)
	}
	w.restart()
	inTime, either := false, false
	do := func() {
		w.elsewhere(func() {
			w.does(how, players[0])
			w.does(how, players[1])
			now, over := w.settling()
			inTime, either = !now && !over, now && !over
		})
	}
	var end func() bool
	if kind == "request" {
		end = testkit.Before(w.redis, n, do)
	} else {
		end = w.relay.Before(n, do)
	}
	settle := jobs.New(w.app, w.relayed).Daily
	if run == "cron-weekly" {
		settle = jobs.New(w.app, w.relayed).Weekly
	}
	_, err := settle(w.Context(), w.now)
	more = end()
	for tries := 0; err != nil && tries < 2; tries++ { // the run leaves a day to the next one
		w.restart()
		_, err = jobs.New(w.app, w.kept).Daily(w.Context(), w.now)
	}
	require.NoError(w, err, when)
	w.restart()
	if either {
		inTime = (len(w.result(players[0])) == 1) == (how == lifted)
		if how == letIn {
			inTime = len(w.result(players[1])) == 0
		}
	}
	if how == erased && !inTime && more {
		w.keep(when) // in the places that they were given
	} else if how == erased && !more {
		w.settled(players[:], nil, when)
	} else {
		first, last := around(players, how, inTime && more)
		w.settled(first, last, when)
	}
	before := w.seats()
	w.now = w.now.Add(21 * time.Minute)
	w.restart()
	w.daily()
	_, err = jobs.New(w.app, w.kept).Weekly(w.Context(), w.now)
	require.NoError(w, err)
	require.Equal(w, before, w.seats(), when)
	if how == erased && more {
		w.nowhere(players[:], when)
		require.NotContains(w, before, players[0])
		require.NotContains(w, before, players[1])
	}
	return more
}
