package closing_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/lifecycle/closing"
)

// Verify reports an entry of a group that differs from the one on the day's board, by board
// and player, whether it is in Redis or in the archive. A restore corrects it.
func TestVerifyHoldsGroupsAgainstTheDay(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	k.playDays(monday, 3, 6)
	k.agree()
	red, err := game.GroupScope("red")
	require.NoError(t, err)
	mode := "first"
	key := game.BoardKey(mode, game.Day.Of(monday), red)
	current, err := k.process().Store.DB.ReadBoard(ctx, key)
	require.NoError(t, err)
	require.NotEmpty(t, current)
	differences := func() []lifecycle.Difference {
		var found []lifecycle.Difference
		_, err := k.process().Verify(ctx, func(d lifecycle.Difference) {
			if d.Key == key {
				found = append(found, d)
			}
		})
		require.NoError(t, err)
		return found
	}
	var player string
	for player = range current {
		break
	}
	was := game.FormatStored(current[player])
	for _, member := range []string{player, "nobody"} {
		_, err = k.server.Redis().Do(ctx, "ZADD", key, "900.5", member)
		require.NoError(t, err)
	}
	require.ElementsMatch(t, []lifecycle.Difference{
		{Key: key, Player: player, Redis: "900.5, on the day's board " + was, Postgres: was},
		{Key: key, Player: "nobody", Redis: "900.5, not on the day's board", Postgres: "-"},
	}, differences())
	_, err = k.process().Restore(ctx, closing.RestoreOptions{})
	require.NoError(t, err)
	require.Empty(t, differences())
	k.agree()
}

// If an older program left a group's board of an open day wrong, the closing of the day
// corrects it, and the archive gets the entry as it is on the day's board.
func TestAClosingAlignsGroupsWithTheDay(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	d := monday
	k.at(d, 12, 0)
	for _, player := range []string{"a", "b", "c", "d"} {
		k.play("first", player, d, 40)
		k.play("best", player, d, 40)
	}
	improved := game.Submission{Mode: k.mode("best"), Player: "a", Date: d, Score: 50, At: k.now}
	_, err := k.process().Store.Boards.Submit(ctx, improved)
	require.NoError(t, err)
	team, err := game.GroupScope("green") // players with names of one letter are in it
	require.NoError(t, err)
	wrong := game.BoardKey("first", game.Day.Of(d), team)
	for _, member := range []string{"a", "nobody"} {
		_, err = k.server.Redis().Do(ctx, "ZADD", wrong, "900.5", member)
		require.NoError(t, err)
	}
	k.at(d.AddDays(1), 0, 20)
	_, err = k.process().Daily(ctx)
	require.NoError(t, err)
	for _, mode := range []string{"first", "best"} {
		day, err := k.process().Store.DB.ReadBoard(ctx, game.DayBoardKey(mode, d))
		require.NoError(t, err)
		key := game.BoardKey(mode, game.Day.Of(d), team)
		group, err := k.process().Store.DB.ReadBoard(ctx, key)
		require.NoError(t, err)
		require.Equal(t, day, group)
		lives, err := k.server.Redis().Do(ctx, "TTL", key)
		require.NoError(t, err)
		require.Positive(t, lives, "it still ends with its day")
	}
	k.agree()
}

// A group's week that was looked at once, and not since, lags behind its days until
// cron-weekly has closed the week. Verify reports no difference before that, and reports one
// afterwards.
func TestVerifyWaitsForWeeksOfGroupsToBeClosed(t *testing.T) {
	k := newKit(t)
	k.late = true // no cron-weekly runs
	ctx := context.Background()
	red, err := game.GroupScope("red")
	require.NoError(t, err)
	week := game.BoardOf(k.mode("first"), game.Week.Of(monday), red)
	k.playDays(monday, 3, 6)
	page, err := k.process().Store.Boards.Page(ctx, week, game.PageRequest{Limit: 10})
	require.NoError(t, err)
	require.NotEmpty(t, page.Entries)
	k.playDays(monday.AddDays(3), 4, 6)
	k.agree()
	_, err = k.process().Weekly(ctx, k.now)
	require.NoError(t, err)
	k.agree()
	_, err = k.server.Redis().Do(ctx, "ZADD", week.Key, "900.5", page.Entries[0].Player)
	require.NoError(t, err)
	var found []lifecycle.Difference
	_, err = k.process().Verify(ctx, func(d lifecycle.Difference) { found = append(found, d) })
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, week.Key, found[0].Key)
}
