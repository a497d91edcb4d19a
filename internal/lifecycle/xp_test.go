package lifecycle_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/game"
)

// xpGame gives XP in every possible way, and is otherwise plain.
const xpGame = `
name: testing
modes:
  points: {policy: best, max: 1000, xp: 1.5, scopes: [country, group]}
  time: {policy: best, order: asc, decimals: 2, max: 60, scopes: [country, group], xp: {play: 10, scores: {"45": 20, "30": 50, "12.5": 100}}}
  word: {max: 6, xp: {play: 7}}
  golf: {policy: latest, order: asc, min: -20, max: 20, aggregate: last, xp: {scores: {"0": 5, "-10": 9}}}
  coins: {policy: sum, max: 50, day_max: 5000, xp: {play: 1, scores: {"40": 2, "90": 4}}}
  none: {max: 9}
`

// XP by plays and by scores is what the days add up to, however they close, are rolled up and
// expire, whatever is removed, and whoever claims other players' plays.
func TestXPByPlaysAndScoresEqualsAPlainModel(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, xpGame)
		t.Run("never closed", func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { k.derivedEqualTheirDays(t, false) })
		})
		t.Run("closed and expired", func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { k.derivedEqualTheirDays(t, true) })
		})
		t.Run("removed", func(t *testing.T) { rapid.Check(t, k.removalsRepair) })
		t.Run("claimed", func(t *testing.T) { rapid.Check(t, k.claimsMerge) })
	})
}

// A day gives the same XP whichever way its scores came in, on the day and after its closing,
// late scores included, counted once.
func TestXPIsTheSameForEveryWayIn(t *testing.T) {
	ctx := context.Background()
	ways := map[string]func(t *testing.T, p *process, sub game.Submission){
		"one by one": func(t *testing.T, p *process, sub game.Submission) {
			_, err := p.Boards.Submit(ctx, sub)
			require.NoError(t, err)
		},
		"in a batch": func(t *testing.T, p *process, sub game.Submission) {
			for _, outcome := range p.Boards.SubmitBatch(ctx, []game.Submission{sub, sub}) {
				require.NoError(t, outcome.Err)
			}
		},
		"queued": func(t *testing.T, p *process, sub game.Submission) {
			_, errs := p.Boards.SubmitQueued(ctx, []game.Submission{sub, sub})
			for _, err := range errs {
				require.NoError(t, err)
			}
		},
	}
	onEngines(t, func(t *testing.T, k *kit) {
		k.game = loadGame(t, xpGame)
		for name, send := range ways {
			t.Run(name, func(t *testing.T) {
				k.empty()
				k.clock.Set(noon)
				p := k.process()
				play := func(mode string, d game.Date, score game.Score) {
					at := d.Midnight().Add(time.Hour)
					send(t, p, game.Submission{
						Mode: k.mode(mode), Player: "ana", Date: d, Score: score, At: at,
						Idempotency: game.IdempotencyRecord{ID: fmt.Sprint(mode, d, score), Fingerprint: "f"},
					})
				}
				xp := func() int64 {
					me, err := k.process().Boards.Me(ctx, "ana", nil)
					require.NoError(t, err)
					return me.XP
				}
				today := game.DateOf(noon)
				play("time", today, 3000)
				play("word", today, 0)
				play("golf", today, -10)
				play("coins", today, 45)
				play("none", today, 9)
				require.EqualValues(t, 10+50+7+9+1+2, xp())
				k.clock.Set(noon.AddDate(0, 0, 1))
				for range 2 {
					_, err := runDaily(ctx, k.process(), nil)
					require.NoError(t, err)
					require.EqualValues(t, 10+50+7+9+1+2, xp())
				}
				play("time", today, 1250) // late, and better
				play("coins", today, 50)
				_, err := runDaily(ctx, k.process(), nil)
				require.NoError(t, err)
				require.EqualValues(t, 10+100+7+9+1+4, xp())
				_, err = p.Repair.RemoveScore(ctx, k.mode("time"), today, "ana", nil)
				require.NoError(t, err)
				require.EqualValues(t, 7+9+1+4, xp())
			})
		}
	})
}

// The rule by which a game gives XP does not change what XP costs.
func TestXPByPlaysAndScoresCostsWhatXPByPointsCosts(t *testing.T) {
	ctx := context.Background()
	onEngines(t, func(t *testing.T, k *kit) {
		k.ageless()
		costs := func(xp string) (all [][2]int64) {
			k.empty()
			k.game = loadGame(t, "name: testing\nmodes:\n  a: {max: 100, xp: "+xp+"}\n  b: {max: 100, xp: "+xp+"}\n")
			spend := func(f func(p *process)) {
				p := k.process()
				commands, trips := p.spent(func() { f(p) })
				all = append(all, [2]int64{commands, trips})
			}
			submit := func(p *process) {
				_, err := p.Boards.Submit(ctx, k.play("a", "ana", 60))
				require.NoError(t, err)
			}
			daily := func(p *process) {
				_, err := runDaily(ctx, p, nil)
				require.NoError(t, err)
			}
			page := func(p *process) {
				mode, _ := p.DB.Game.ModeNamed(game.XPMode)
				wholeBoard(t, p, game.BoardOf(mode, game.AllTime.Of(game.DateOf(k.clock.Now())), game.Scope{}), 10)
			}
			me := func(p *process) {
				_, err := p.Boards.Me(ctx, "ana", nil)
				require.NoError(t, err)
			}
			for day := range 8 { // until days are rolled up
				k.clock.Set(noon.AddDate(0, 0, day))
				for _, f := range []func(*process){submit, page, me, daily} {
					spend(f)
				}
			}
			spend(func(p *process) {
				_, err := p.Repair.RemoveScore(ctx, k.mode("a"), k.game.Today(k.clock.Now()).AddDays(-1), "ana", nil)
				require.NoError(t, err)
			})
			return all
		}
		costs("1") // now Redis knows the scripts
		byPoints := costs("1")
		require.Equal(t, byPoints, costs("{play: 5}"))
		require.Equal(t, byPoints, costs(`{play: 5, scores: {"50": 5, "60": 10}}`))
	})
}
