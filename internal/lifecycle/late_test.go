package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/leaderboard"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// A score that an operator, a batch or a queue writes to a day that has closed counts at once
// for its player's XP and streak: in the process that wrote it, in one that has just looked, and
// in a new one.
func TestALateScoreOfAClosedDayCountsAtOnce(t *testing.T) {
	writes := map[string]func(*process, game.Submission) error{
		"alone": func(p *process, sub game.Submission) error {
			_, err := p.Boards.Submit(context.Background(), sub)
			return err
		},
		"batch": func(p *process, sub game.Submission) error {
			return p.Boards.SubmitBatch(context.Background(), []game.Submission{sub})[0].Err
		},
		"queue": func(p *process, sub game.Submission) error {
			_, errs := p.Boards.SubmitQueued(context.Background(), []game.Submission{sub})
			return errs[0]
		},
	}
	onEngines(t, func(t *testing.T, k *kit) {
		k.ageless()
		for name, write := range writes {
			t.Run(name, func(t *testing.T) {
				ctx := context.Background()
				k.empty()
				k.clock.Set(noon)
				day := k.game.Today(noon)
				play := func(mode, player string, d game.Date, score game.Score) game.Submission {
					sub := k.play(mode, player, score)
					sub.Date = d
					sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint(mode, player, d, score), Fingerprint: "f"}
					sub.Profile.Country = "BR"
					return sub
				}
				for n := range 3 { // the day of n = 1 is the one that will change
					k.clock.Set(noon.AddDate(0, 0, n))
					for _, player := range []string{"ana", "ben"} {
						if player == "ana" && n == 1 {
							continue
						}
						_, err := k.process().Boards.Submit(ctx, play("first", player, day.AddDays(n), 100))
						require.NoError(t, err)
					}
					_, err := runDaily(ctx, k.process(), nil)
					require.NoError(t, err)
				}
				xpBoard := game.BoardOf(&game.ModeOfXP, game.AllTime.Of(day), game.Scope{})
				has := func(p *process, player string, xp, streak int64, why string) {
					t.Helper()
					me, err := p.Boards.Me(ctx, player, nil)
					require.NoError(t, err)
					require.Equal(t, xp, me.XP, "%s: XP of /v1/me", why)
					require.EqualValues(t, streak, me.Streak.Current, "%s: streak", why)
					card, err := p.Boards.Card(ctx, xpBoard, player)
					require.NoError(t, err)
					require.EqualValues(t, xp, card.Score, "%s: card of XP", why)
				}
				late, looking := k.process(), k.process()
				for _, p := range []*process{late, looking} {
					has(p, "ana", 300, 1, "before")
					has(p, "ben", 450, 3, "before")
				}
				score := play("first", "ana", day.AddDays(1), 200)
				for range 2 { // the second is the same once more
					require.NoError(t, write(late, score))
					for where, p := range map[string]*process{"writing": late, "looking": looking, "new": k.process()} {
						has(p, "ana", 600, 3, where)
						has(p, "ben", 450, 3, where)
					}
				}
				commands, _ := late.spent(func() {
					require.NoError(t, write(late, play("coins", "carl", day, 10)), "a player without anything")
				})
				require.LessOrEqual(t, commands, int64(43), "with the write itself, the first in the process")
				has(late, "carl", 7, 0, "writing")
				has(k.process(), "carl", 7, 0, "new")

				k.clock.Set(noon.AddDate(0, 0, 3))
				_, err := runDaily(ctx, k.process(), nil)
				require.NoError(t, err)
				for _, p := range []*process{late, looking, k.process()} {
					has(p, "ana", 600, 3, "after the next closing")
					has(p, "carl", 7, 0, "after the next closing")
				}
				k.clock.Set(noon.AddDate(0, 0, 9))
				for range 2 {
					_, err = runDaily(ctx, k.process(), nil)
					require.NoError(t, err)
				}
				require.NoError(t, k.process().Days.RefreshXP(ctx))
				has(k.process(), "ana", 600, 0, "after the days were rolled up")
				k.clock.Set(k.clock.Now().Add(time.Minute))
				has(late, "ana", 600, 0, "after the days were rolled up")
			})
		}
	})
}

// Late scores come from several senders while days close, and are sent again: XP is the sum of
// what the days' boards give, and no closing has to come after.
func TestLateScoresBesideClosingsCountOnce(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		day := k.game.Today(noon)
		_, err := k.process().Boards.Submit(ctx, k.play("first", "other", 100))
		require.NoError(t, err)
		k.clock.Set(noon.AddDate(0, 0, 1))
		_, err = runDaily(ctx, k.process(), nil)
		require.NoError(t, err)
		var wait sync.WaitGroup
		for sender := range 4 {
			p := k.process()
			wait.Go(func() {
				for n := range 6 {
					var subs []game.Submission
					for player := range 5 {
						sub := k.play([]string{"first", "coins"}[n%2], fmt.Sprint("p", player), game.Score(10*n+player+1))
						sub.Date = day
						sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint(sender, n, player), Fingerprint: "f"}
						subs = append(subs, sub)
					}
					for _, o := range p.Boards.SubmitBatch(ctx, subs) {
						if !assert.NoError(t, o.Err) {
							return
						}
					}
				}
			})
		}
		closes := k.process()
		for range 3 {
			_, err := runDaily(ctx, closes, nil)
			require.NoError(t, err)
		}
		wait.Wait()
		p := k.process()
		for player := range 5 {
			id := fmt.Sprint("p", player)
			var want int64
			for _, m := range k.game.Modes {
				card, err := p.Boards.Card(ctx, game.BoardOf(m, game.Day.Of(day), game.Scope{}), id)
				if errors.Is(err, leaderboard.ErrNotOnBoard) {
					continue
				}
				require.NoError(t, err)
				want += m.XPOf(card.Score)
			}
			require.Positive(t, want)
			me, err := p.Boards.Me(ctx, id, nil)
			require.NoError(t, err)
			require.Equal(t, want, me.XP, id)
			require.Equal(t, 1, me.Streak.Current, id)
		}
	})
}

// beginning is an archive that says which mode's day is written next.
type beginning struct {
	*shelf
	next func(mode string)
}

func (b beginning) BeginDay(ctx context.Context, mode string, d game.Date) (lifecycle.DayWriter, error) {
	b.next(mode)
	return b.shelf.BeginDay(ctx, mode, d)
}

// A closing has read the coins, which it does not close again, when more of them come in: it must
// not put the XP that it has read in the place of theirs.
func TestALateScoreOfAModeThatIsNotClosedAgainKeepsItsXP(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx, day := context.Background(), k.game.Today(noon)
		submit := func(mode string, score game.Score) {
			sub := k.play(mode, "ana", score)
			sub.Date = day
			sub.Idempotency = game.IdempotencyRecord{ID: fmt.Sprint(mode, score), Fingerprint: "f"}
			_, err := k.process().Boards.Submit(ctx, sub)
			require.NoError(t, err)
		}
		submit("coins", 100)
		k.clock.Set(noon.AddDate(0, 0, 1))
		_, err := runDaily(ctx, k.process(), nil)
		require.NoError(t, err)
		submit("golf", 5) // the closing's reason
		late := false
		_, err = runDaily(ctx, k.process(), beginning{newShelf(), func(mode string) {
			require.Equal(t, "golf", mode)
			submit("coins", 200)
			late = true
		}})
		require.NoError(t, err)
		require.True(t, late)
		me, err := k.process().Boards.Me(ctx, "ana", nil)
		require.NoError(t, err)
		require.EqualValues(t, 210, me.XP)
	})
}
