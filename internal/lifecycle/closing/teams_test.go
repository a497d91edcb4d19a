package closing_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

// A board of teams closes with a snapshot, equals what the archive makes of the days, and
// exists again after a restore.
func TestBoardsOfGroupsAreTheSameEverywhere(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	k.playDays(monday, 10, 9)
	groups := game.TeamsScope()
	want := map[string][]string{}
	for _, mode := range []string{"first", "best", "coins"} {
		for _, p := range []game.Period{game.Week.Of(monday), game.Month.Of(monday), k.season("turn")} {
			key := game.BoardKey(mode, p, groups)
			s := k.snapshot(mode, p, groups)
			require.NotNil(t, s, key)
			want[key] = rowsOf(s)
			require.GreaterOrEqual(t, len(want[key]), 2, key)
			require.Equal(t, want[key], k.rows(mode, p, groups), key)
			page, err := k.archive().Boards.Page(ctx, game.BoardOf(k.mode(mode), p, groups), 1, 1, nil)
			require.NoError(t, err)
			require.EqualValues(t, s.Total, page.Total)
			standing, err := k.archive().Boards.Standing(ctx, game.BoardOf(k.mode(mode), p, groups), page.Entries[0].Player)
			require.NoError(t, err)
			require.Equal(t, want[key][1], fmt.Sprintf("%d %s %v", standing.Rank, standing.Player, standing.Stored), key)
		}
		day := game.Day.Of(monday.AddDays(8))
		page, err := k.archive().Boards.Page(ctx, game.BoardOf(k.mode(mode), day, groups), 10, 0, nil)
		require.NoError(t, err)
		var rows []string
		for _, e := range page.Entries {
			rows = append(rows, fmt.Sprintf("%d %s %v", e.Rank, e.Player, e.Stored))
		}
		require.Equal(t, k.rows(mode, day, groups), rows, mode)
		ever := game.AllTime.Of(monday)
		want[game.BoardKey(mode, ever, groups)] = k.rows(mode, ever, groups)
	}
	badges, err := k.archive().Achievements.Of(ctx, "red")
	require.NoError(t, err)
	require.Empty(t, badges, "groups win no badges")
	k.agree()

	_, err = k.server.Redis().Do(ctx, "FLUSHALL")
	require.NoError(t, err)
	_, err = k.process().Restore(ctx, closing.RestoreOptions{})
	require.NoError(t, err)
	for key, rows := range want {
		mode, p, scope, err := k.game.ParseBoardKey(key)
		require.NoError(t, err)
		require.Equal(t, rows, k.rows(mode, p, scope), key)
	}
	k.agree()

	_, err = k.archive().Results.Delete(ctx, "first", monday.AddDays(4), k.snapshot("first", game.Week.Of(monday), game.Scope{}).Entries[0].Player, game.Act{ID: "1", At: k.now, Actor: "op"})
	require.NoError(t, err)
	require.True(t, k.snapshot("first", game.Week.Of(monday), groups).Stale)
}
