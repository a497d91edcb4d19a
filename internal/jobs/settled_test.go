package jobs_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/jobs"
	"github.com/framedle/leaderboards/internal/testkit"
)

const settledGame = `
name: settled
leagues: {tiers: [Wood]}
modes:
  first: {max: 1000, xp: 1}
  coins: {policy: sum, max: 500, day_max: 5000, xp: 1}
`

const erased = "erased"

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
	w.relayed = testkit.Archive(t, w.relay.URL)
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
	_, err := jobs.Leagues(w.app, w.kept).Own(w.Context(), "q1")
	require.NoError(w, err)
}

// week is the one that has just ended.
func (w *weeks) week() game.Period {
	last, _ := game.Week.Of(game.DateOf(w.now)).Previous()
	return last
}

// ask asks the database itself for one value.
func (w *world) ask(question string, into any, args ...any) {
	c, err := pgx.Connect(context.Background(), w.database)
	require.NoError(w, err)
	defer func() { _ = c.Close(context.Background()) }()
	require.NoError(w, c.QueryRow(context.Background(), question, args...).Scan(into))
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

func (w *weeks) result(player string) []game.LeagueResult {
	all, err := w.kept.Leagues.Of(w.Context(), player, game.DateOf(w.now), 1)
	require.NoError(w, err)
	if len(all) > 0 && all[0].Week != w.week().First() {
		return nil
	}
	return all
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
	var seats int
	w.ask(`SELECT count(*) FROM league_seats WHERE week = $1`, &seats, w.week().First().Midnight())
	require.Equal(w, len(all), seats, when)
}

// Two players are banned, banned and let in again, or erased before each request and each
// query of the run that settles their week, one with a seat and one who would get a seat then:
// if that was answered before the week was settled, they have no place and everybody else has
// the place that follows. Who is let in again has the XP of the Monday, which no ban takes out
// any more. Who is erased never has a place. What runs later changes nothing.
func TestWhoIsTakenOutWhileAWeekIsSettledHasNoPlace(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		for _, run := range []string{"cron-daily", "cron-weekly"} {
			for _, how := range []string{banned, letIn, erased} {
				t.Run(run+", "+how, func(t *testing.T) {
					newWeeks(t, address).takenOut(run, how)
				})
			}
		}
	})
}

func (w *weeks) takenOut(run, how string) {
	steps := map[string]int{"request": 17, "query": 5}
	if run == "cron-daily" {
		steps = map[string]int{"request": 37, "query": 19}
	}
	for kind, step := range steps {
		for n, more := anyOf(step), true; more; n += step {
			players := w.play()
			when := fmt.Sprintf("%s %d", kind, n)
			if run == "cron-weekly" {
				_, err := jobs.New(w.app, w.kept).Closing().Daily(w.Context())
				require.NoError(w, err)
				w.restart()
			}
			out, either := false, false
			do := func() {
				w.elsewhere(func() {
					for _, player := range players {
						if how == erased {
							w.erases(player)
						} else {
							w.takesOut(player, how)
						}
					}
					now, over := w.settling()
					out, either = !now && !over, now && !over
				})
			}
			var end func() bool
			if kind == "request" {
				end = testkit.Before(w.redis, n, do)
			} else {
				end = w.relay.Before(n, do)
			}
			j := jobs.New(w.app, w.relayed)
			var err error
			if run == "cron-daily" {
				_, err = j.Daily(w.Context(), w.now)
			} else {
				_, err = j.Weekly(w.Context(), w.now)
			}
			more = end()
			w.restart()
			for range 2 {
				if err == nil {
					break
				}
				_, err = jobs.New(w.app, w.kept).Daily(w.Context(), w.now)
			}
			require.NoError(w, err, when)
			if either {
				out = len(w.result(players[1])) == 0
			}
			first, last := players[:], []string(nil)
			if more && (out || how == erased) {
				first = nil
			}
			if more && out && how == letIn {
				last = players[:1]
			}
			if out || how != erased || !more { // else the honest have the places that they were given
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
		}
	}
}
