package closing_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

// lose empties Redis; elapse lets the keys expire that are due by the test's clock.
func (k *kit) lose() {
	k.t.Helper()
	_, err := k.server.Redis().Do(context.Background(), "FLUSHALL")
	require.NoError(k.t, err)
}

func (k *kit) restore() {
	k.t.Helper()
	_, err := k.process().Restore(context.Background(), closingOptions)
	require.NoError(k.t, err)
}

// expireDays deletes the day boards whose life is over: Redis itself does so by a clock that
// the test cannot move.
func (k *kit) expireDays(from game.Date) {
	k.t.Helper()
	for d := from; !k.process().Store.DB.Alive(d); d = d.AddDays(1) {
		for _, m := range k.game.Modes {
			for _, group := range []string{"", "red", "green", "blue"} {
				scope := game.Scope{}
				if group != "" {
					scope, _ = game.GroupScope(group)
				}
				_, err := k.server.Redis().Do(context.Background(), "DEL", game.BoardKey(m.Name, game.Day.Of(d), scope))
				require.NoError(k.t, err)
			}
		}
	}
}

// Last week's boards exist as long as they live, even if nobody looked at them between the
// restore and the expiry of their days.
func TestAWeekWhoseDaysWereAllAliveOutlivesThemAfterARestore(t *testing.T) {
	k := newKit(t)
	k.playDays(monday, 7, 6)
	red, err := game.GroupScope("red")
	require.NoError(t, err)
	week := func(scope game.Scope) any {
		s := k.process().Store
		return k.page(s, game.BoardOf(k.mode("first"), game.Week.Of(monday), scope))
	}
	everybody, group := week(game.Scope{}), week(red)
	require.NotNil(t, everybody)
	require.NotNil(t, group)
	k.lose()
	k.restore()
	k.agree()
	k.at(monday.AddDays(11), 1, 0)
	k.expireDays(monday)
	require.Equal(t, everybody, week(game.Scope{}))
	require.Equal(t, group, week(red))
}

func TestStreaksThatAreOffAreNotRestored(t *testing.T) {
	k := newKit(t)
	k.playDays(monday, 2, 4)
	without := *k.game
	without.Streak = game.StreakRule{Off: true}
	k.game = &without
	k.lose()
	report, err := k.process().Restore(context.Background(), closingOptions)
	require.NoError(t, err)
	require.Zero(t, report.Streaks)
	require.NotContains(t, k.contents(), game.StreaksKey)
	k.agree()
}

func TestVerifyTellsOfAWeekThatNobodyCanReadTomorrow(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	k.playDays(monday, 7, 6)
	k.at(monday.AddDays(8), 12, 0)
	key := game.BoardKey("first", game.Week.Of(monday), game.Scope{})
	_, err := k.server.Redis().Do(ctx, "DEL", key)
	require.NoError(t, err)
	require.Contains(t, k.differences(), key)
}

func TestVerifyTellsOfBoardsThatNoClosingSeesOrThatStay(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	k.playDays(monday, 3, 6)
	today := monday.AddDays(3)
	k.at(today, 12, 0)
	red, err := game.GroupScope("red")
	require.NoError(t, err)
	k.play("first", "abc", today, 5) // of the group red
	require.Empty(t, k.differences())
	key := game.BoardKey("first", game.Day.Of(today), red)
	_, err = k.server.Redis().Do(ctx, "HDEL", game.ScopedDaysKey("first"), game.ScopedDay(today, red))
	require.NoError(t, err)
	require.Contains(t, k.differences(), key, "off the index")
	_, err = k.server.Redis().Do(ctx, "HSET", game.ScopedDaysKey("first"), game.ScopedDay(today, red), derive.DayRolledUp)
	require.NoError(t, err)
	require.Contains(t, k.differences(), key, "without an expiry")
}

// differences returns what Verify reports, by key.
func (k *kit) differences() map[string]lifecycle.Difference {
	k.t.Helper()
	found := map[string]lifecycle.Difference{}
	_, err := k.process().Verify(context.Background(), func(d lifecycle.Difference) { found[d.Key] = d })
	require.NoError(k.t, err)
	return found
}

// Processes that were running before a loss play on after it, in the same group and in others,
// without a restart.
func TestProcessesLiveThroughALossWithTheirGroups(t *testing.T) {
	for name, restored := range map[string]bool{"restored": true, "not restored": false} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t)
			ctx := context.Background()
			var elapsed time.Duration
			living := k.over(k.app(func() time.Duration { return elapsed }), k.archive())
			store := living.Store
			scope := func(name string) game.Scope {
				s, err := game.GroupScope(name)
				require.NoError(t, err)
				return s
			}
			n := 0
			play := func(mode, player, group string, d game.Date) {
				n++
				_, err := store.Boards.Submit(ctx, game.Submission{
					Mode: k.mode(mode), Player: player, Date: d, Score: game.Score(10 + n), At: k.now,
					Scopes: []game.Scope{scope(group)}, Profile: game.Profile{Name: "Name of " + player},
				})
				require.NoError(t, err)
			}
			k.at(monday, 12, 0)
			play("first", "ana", "red", monday)
			k.at(monday.AddDays(1), 0, 20)
			_, err := living.Daily(ctx)
			require.NoError(t, err)
			d := monday.AddDays(1)
			k.at(d, 12, 0)
			play("first", "ana", "red", d)
			play("best", "ana", "red", d)
			_, err = living.Save(ctx)
			require.NoError(t, err)
			k.lose()
			if restored {
				k.restore()
			}
			play("first", "ben", "red", d)
			play("first", "cleo", "blue", d)
			play("best", "ben", "red", d)
			elapsed += 3 * time.Second
			groups := map[string][]string{"red": {"ben"}, "blue": {"cleo"}}
			other := k.process().Store // another process looks
			if restored {
				groups["red"] = append(groups["red"], "ana") // on Monday, which had closed
			}
			look := func(when string) {
				for group, players := range groups {
					for _, kind := range []game.PeriodKind{game.Week, game.Month, game.AllTime} {
						b := game.BoardOf(k.mode("first"), kind.Of(d), scope(group))
						page, err := other.Boards.Page(ctx, b, game.PageRequest{Limit: 10})
						require.NoError(t, err)
						var names []string
						for _, e := range page.Entries {
							names = append(names, e.Player)
							require.Equal(t, "Name of "+e.Player, e.Profile.Name)
						}
						require.ElementsMatch(t, players, names, "%s: %s", when, b.Key)
					}
				}
			}
			k.at(d, 13, 0)
			look("after the loss")
			k.at(d.AddDays(1), 0, 20)
			_, err = living.Daily(ctx)
			if !restored {
				require.ErrorIs(t, err, archive.ErrOtherSource, "the archive has ana's play, which Redis has lost")
				other = k.process().Store
				look("after the closing")
				k.restore()
				k.at(d.AddDays(1), 0, 25)
				_, err = living.Daily(ctx)
				groups["red"] = append(groups["red"], "ana")
			}
			require.NoError(t, err)
			other = k.process().Store
			look("after the closing that archives")
			archived, err := k.archive().Results.Scopes(ctx, "first", d, d)
			require.NoError(t, err)
			require.Contains(t, archived, scope("red"))
			require.Contains(t, archived, scope("blue"))
			k.agree()
		})
	}
}

// A day that has ended but is not closed, since cron-daily has not run, is as safe as an open
// one.
func TestADayThatHasEndedIsSavedUntilItCloses(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	k.playDays(monday, 2, 4)
	d := monday.AddDays(2)
	k.at(d, 12, 0)
	k.play("first", "ana", d, 7)
	k.at(d.AddDays(1), 4, 0)
	saved, err := k.process().Save(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 1, saved.Results)
	k.lose()
	k.restore()
	k.at(d.AddDays(1), 5, 0)
	_, err = k.process().Daily(ctx)
	require.NoError(t, err)
	current, err := k.process().Store.DB.ReadBoard(ctx, game.DayBoardKey("first", d))
	require.NoError(t, err)
	require.Contains(t, current, "ana")
	k.agree()
	saved, err = k.process().Save(ctx)
	require.NoError(t, err)
	require.Zero(t, saved.Results, "what is closed is left alone")
	require.LessOrEqual(t, saved.Commands, int64(5+len(k.game.Modes)))
}

// A restore from an archive that is empty or older than Redis would destroy what Redis has: it
// is refused, and the error says what would be lost.
func TestAnArchiveThatKnowsLessThanRedisIsRefused(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	kept := k.process()
	k.at(monday, 12, 0)
	k.play("first", "ana", monday, 200)
	k.at(monday.AddDays(1), 0, 20)
	without := k.withoutArchive()
	_, err := without.Daily(ctx)
	require.NoError(t, err)
	k.at(monday.AddDays(1), 12, 0)
	before := k.contents()

	_, err = kept.Restore(ctx, closingOptions)
	var lack *closing.LackError
	require.ErrorAs(t, err, &lack)
	require.ErrorContains(t, err, "first: 1 of 1 closed days, from 2026-12-28 to 2026-12-28")
	require.ErrorContains(t, err, "XP of 1 of 1 players")
	dry, err := kept.Restore(ctx, closing.RestoreOptions{DryRun: true})
	require.NoError(t, err)
	require.Equal(t, lack.Lacks, dry.Lacks)
	require.Equal(t, before, k.contents(), "nothing has changed")

	xp := func() int64 {
		me, err := k.process().Store.Boards.Me(ctx, "ana", nil)
		require.NoError(t, err)
		return me.XP
	}
	require.EqualValues(t, 300, xp())
	_, err = kept.Restore(ctx, closing.RestoreOptions{Force: true})
	require.NoError(t, err)
	require.LessOrEqual(t, xp(), int64(300), "what is replaced does not count beside it")
}

// Who looks between a loss and the restore makes boards of what is left. The restore makes these
// again, also those of periods that are over and would stay as they are for an hour.
func TestALookBetweenALossAndTheRestoreDoesNotLast(t *testing.T) {
	k := newKit(t)
	k.playDays(monday, 9, 6)
	var looking *lifecycle.Parts
	red, err := game.GroupScope("red")
	require.NoError(t, err)
	brazil, err := game.CountryScope("BR")
	require.NoError(t, err)
	today := monday.AddDays(9)
	var boards []game.Board
	for _, m := range k.game.Modes {
		for _, p := range append(k.game.PeriodsOf(today), game.Week.Of(monday)) {
			for _, scope := range []game.Scope{{}, red, brazil, game.TeamsScope()} {
				if scope == (game.Scope{}) || m.HasScope(scope.Kind()) {
					boards = append(boards, game.BoardOf(m, p, scope))
				}
			}
		}
	}
	look := func() (pages []any) {
		for _, b := range boards {
			pages = append(pages, k.page(looking, b))
		}
		return pages
	}
	k.at(today, 12, 0)
	k.lose()
	k.restore()
	looking = k.process().Store
	want := look()
	k.lose()
	for _, of := range []*lifecycle.Parts{k.process().Store, looking} {
		for _, b := range boards {
			_, err := of.Boards.Page(context.Background(), b, game.PageRequest{Limit: 10})
			require.NoError(t, err)
		}
	}
	k.restore()
	looking = k.process().Store
	got := look()
	for i, b := range boards {
		require.Equal(t, want[i], got[i], b.Key)
	}
}
