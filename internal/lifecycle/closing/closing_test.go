package closing_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

func TestDaysCloseIntoTheArchive(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	k.playDays(monday, 9, 7)
	k.agree()
	days, err := k.archive().Days.Between(ctx, "first", monday, monday.AddDays(20))
	require.NoError(t, err)
	require.Len(t, days, 9)
	for _, d := range days {
		require.True(t, d.Complete)
		require.Positive(t, d.Players)
	}
	again, err := k.process().Daily(ctx)
	require.NoError(t, err)
	require.Empty(t, again.Closed, "what is closed is left alone")
	require.LessOrEqual(t, again.Commands, int64(25), "and finding that out is cheap")
}

// Closing a day costs 12 commands for each mode of the game, some 10 to find and list what was
// played, more with the number of pages but not of players, and one more for each country and
// each level that was played in.
func TestTheCostOfClosingADay(t *testing.T) {
	k := newKit(t)
	k.playDays(monday.AddDays(-1), 1, 5) // so that the scripts are known to Redis
	k.at(monday, 12, 0)
	const players = 400
	for i := range players {
		k.play("first", "player"+strings.Repeat("x", i%3)+string(rune('a'+i%26))+string(rune('a'+i/26)), monday, game.Score(i))
	}
	k.at(monday.AddDays(1), 0, 20)
	var meter upstash.Meter
	report, err := k.process().Daily(upstash.WithMeter(context.Background(), &meter))
	require.NoError(t, err)
	require.Equal(t, players, report.Closed[0].Results)
	const countries = 3
	require.LessOrEqual(t, report.Commands, int64(12*len(k.game.Modes)+10+players/500+countries+k.mode("first").Levels), meter.Usage().ByName)
}

func TestALateScoreHasItsDayClosedAgain(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	k.playDays(monday, 8, 5)
	k.at(monday.AddDays(8), 10, 0)
	k.play("first", "late", monday.AddDays(5), 999)
	report, err := k.process().Daily(ctx)
	require.NoError(t, err)
	require.Len(t, report.Closed, 1)
	require.Equal(t, monday.AddDays(5).String(), report.Closed[0].Date)
	require.Equal(t, []string{"first"}, report.Closed[0].Modes)
	require.Len(t, report.Periods, 1, "the week had closed before, and is closed again")
	k.agree()
	top, err := k.archive().Snapshots.Of(ctx, game.BoardOf(k.mode("first"), game.Week.Of(monday), game.Scope{}))
	require.NoError(t, err)
	found := slices.ContainsFunc(top.Entries, func(e archive.SnapshotEntry) bool { return e.Player == "late" && e.Score == 999 })
	require.True(t, found, "the snapshot has the late score")
}

func TestALostRedisIsMadeAgain(t *testing.T) {
	for name, days := range map[string]int{"some days old": 5, "with folded days": 16, "with closed months": 45} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t)
			ctx := context.Background()
			k.playDays(monday, days, 6)
			k.agree()
			before := k.boards()
			_, err := k.server.Redis().Do(ctx, "FLUSHALL")
			require.NoError(t, err)
			restored, err := k.process().Restore(ctx, closingOptions)
			require.NoError(t, err)
			require.Positive(t, restored.Results)
			k.agree()
			k.same(before)
			again, err := k.process().Restore(ctx, closingOptions)
			require.NoError(t, err)
			require.Equal(t, restored.Results, again.Results)
			k.same(before)
			k.playDays(monday.AddDays(days), 3, 6)
			k.agree()
		})
	}
}

// boards reads every board that a reader could ask for, also derived ones, as the next reader
// would find them, and the streaks.
func (k *kit) boards() map[string]any {
	k.t.Helper()
	today := k.game.Today(k.now)
	k.now = k.now.Add(1e9 * 60)
	c := k.process()
	br, err := game.CountryScope("BR")
	require.NoError(k.t, err)
	all := map[string]any{}
	for _, m := range k.game.Modes {
		for _, scope := range []game.Scope{{}, br} {
			if scope != (game.Scope{}) && len(m.Scopes) == 0 {
				continue
			}
			for back := range 8 {
				d := today.AddDays(-7 * back)
				for _, kind := range []game.PeriodKind{game.Day, game.Week, game.Month, game.AllTime} {
					b := game.BoardOf(m, kind.Of(d), scope)
					if end, ok := k.game.Expires(b.Period); ok && !k.now.Before(end) {
						continue // its key has expired, which the test's clock cannot make happen
					}
					all[b.Key] = k.page(c.Store, b)
				}
			}
		}
	}
	xp, _ := c.Store.DB.Game.ModeNamed(game.XPMode)
	all[game.XPKey] = k.page(c.Store, game.BoardOf(xp, game.AllTime.Of(today), game.Scope{}))
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	return all
}

// same asserts that readers still find the same boards.
func (k *kit) same(before map[string]any) {
	k.t.Helper()
	after := k.boards()
	for key := range before {
		require.Equal(k.t, before[key], after[key], key)
	}
	require.Len(k.t, after, len(before))
}
