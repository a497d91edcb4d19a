package jobs_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
)

const replayedGame = `
name: replayed
modes:
  coins: {policy: sum, max: 500, day_max: 5000, scopes: [group]}
  first: {max: 1000}
  best: {policy: best, max: 1000}
  latest: {policy: latest, max: 1000}
`

// A score is sent again, by its caller who has lost the answer, after Redis was lost with all
// records: before each request of the repair, and once more after it. Where plays are kept
// (outbox), and in modes that do not add up, it counts once. A sum of which only the total is
// kept cannot know: there it counts once more for the loss, however often it is sent.
func TestWhatIsSentAgainAfterALossCountsAsIsPromised(t *testing.T) {
	for _, outbox := range []bool{true, false} {
		t.Run(fmt.Sprintf("outbox %v", outbox), func(t *testing.T) {
			testkit.OnEngines(t, func(t *testing.T, address string) {
				w := newWorld(t, address, true)
				w.game = fmt.Sprintf("outbox: %v\n%s", outbox, replayedGame)
				w.restart()
				began := w.now
				send := func(player string) {
					for _, m := range w.app.Game().Modes {
						sub := game.Submission{
							Mode: m, Player: player, Date: game.DateOf(began), Score: 5, At: began,
							Idempotency: game.IdempotencyRecord{ID: m.Name + player, Fingerprint: "f"},
						}
						if m.HasScope(game.Group) {
							sub.Scopes = []game.Scope{groupOf(w, "red")}
						}
						_, err := w.app.Store().Boards.Submit(w.Context(), sub)
						require.NoError(t, err)
					}
				}
				players := named("p", 160)
				for _, player := range players {
					send(player)
				}
				require.NoError(t, w.save())
				w.do("FLUSHALL")
				w.now = w.now.Add(time.Second)
				w.restart()
				again := w.before(players[:150], send, w.save)
				require.Greater(t, again, 50)
				require.NoError(t, w.save())
				w.restart()
				for _, player := range players {
					send(player)
				}
				for name, current := range w.scores(game.DateOf(began)) {
					require.Len(t, current, len(players), name)
					for i, player := range players {
						want := game.Score(5)
						if name == "coins" && !outbox {
							want = 10
						}
						require.Equal(t, want, current[player], "%s of %s, sent again before request %d", name, player, i+1)
					}
				}
			})
		})
	}
}

// scores are the scores of a date, by mode and player.
func (w *world) scores(d game.Date) map[string]map[string]game.Score {
	all := map[string]map[string]game.Score{}
	for _, m := range w.app.Game().Modes {
		page, err := w.app.Store().Boards.Page(w.Context(), game.BoardOf(m, game.Day.Of(d), game.Scope{}), game.PageRequest{Limit: 200})
		require.NoError(w, err)
		all[m.Name] = map[string]game.Score{}
		for _, e := range page.Entries {
			all[m.Name][e.Player] = e.Score
		}
	}
	return all
}

// passes lets time pass, also for the records of requests.
func (w *world) passes(d time.Duration) {
	w.now = w.now.Add(d)
	w.restart()
	for _, key := range w.do("KEYS", "once:*").([]any) {
		left := w.do("PTTL", key.(string)).(int64) - d.Milliseconds()
		if left > 0 {
			w.do("PEXPIRE", key.(string), fmt.Sprint(left))
		} else {
			w.do("DEL", key.(string))
		}
	}
}

// A queued score comes again from the dead letters, days after Redis was lost and the score was
// put back from the outbox: it counts once.
func TestAQueuedSumThatComesAgainDaysAfterALossCountsOnce(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		w := newWorld(t, address, true)
		w.game = "outbox: true\n" + replayedGame
		w.restart()
		began := w.now
		deliver := func() {
			_, errs := w.app.Store().Boards.SubmitQueued(w.Context(), []game.Submission{{
				Mode: w.mode("coins"), Player: "p", Date: game.DateOf(began), Score: 5, At: began,
				Idempotency: game.IdempotencyRecord{ID: "once", Fingerprint: "f"},
			}})
			require.NoError(t, errors.Join(errs...))
		}
		deliver()
		require.NoError(t, w.save())
		w.do("FLUSHALL")
		w.passes(time.Second)
		require.NoError(t, w.save())
		w.passes(36 * time.Hour)
		deliver()
		require.EqualValues(t, 5, w.scores(game.DateOf(began))["coins"]["p"])
	})
}
