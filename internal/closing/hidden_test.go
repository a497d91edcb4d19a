package closing_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/board"
)

func TestWhoIsHiddenIsHiddenAfterALossOfRedisToo(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	k.at(monday, 12, 0)
	k.play("first", "ana", monday, 5)
	k.play("first", "ben", monday, 6)
	hidden := true
	_, err := k.process().Store.ChangeProfile(ctx, "ana", board.ProfileChange{Hidden: &hidden})
	require.NoError(t, err)
	k.at(monday.AddDays(1), 0, 20)
	_, err = k.process().Daily(ctx)
	require.NoError(t, err)
	kept := k.contents()["profiles"]

	_, err = k.server.Redis().Do(ctx, "FLUSHALL")
	require.NoError(t, err)
	_, err = k.process().Restore(ctx, closingOptions)
	require.NoError(t, err)
	require.Equal(t, kept, k.contents()["profiles"])
	me, err := k.process().Store.Me(ctx, "ana")
	require.NoError(t, err)
	require.Equal(t, board.Profile{Name: "Name of ana", Country: "BR", Hidden: true}, me.Profile)
	require.EqualValues(t, 7, me.XP)
	require.Equal(t, 1, me.Streak.Current)
}
