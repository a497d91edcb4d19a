package closing_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/player"
)

func TestWhoIsHiddenIsHiddenAfterALossOfRedisToo(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	k.at(monday, 12, 0)
	k.play("first", "ana", monday, 5)
	k.play("first", "ben", monday, 6)
	hidden := true
	_, err := k.process().Store.Players.ChangeProfile(ctx, "ana", player.ProfileChange{Hidden: &hidden})
	require.NoError(t, err)
	k.at(monday.AddDays(1), 0, 20)
	_, err = k.process().Daily(ctx)
	require.NoError(t, err)
	kept := k.contents()["profiles"]

	_, err = k.server.Redis().Do(ctx, "FLUSHALL")
	require.NoError(t, err)
	_, err = k.process().Restore(ctx, closingOptions)
	require.NoError(t, err)
	require.Equal(t, undated(t, kept), undated(t, k.contents()["profiles"]))
	me, err := k.process().Store.Boards.Me(ctx, "ana", nil)
	require.NoError(t, err)
	require.Equal(t, game.Profile{Name: "Name of ana", Country: "BR", Hidden: true}, me.Profile)
	require.EqualValues(t, 7, me.XP)
	require.Equal(t, 1, me.Streak.Current)
}

// undated returns profiles without their times: in the archive that is the time of the closing
// that wrote them.
func undated(t *testing.T, profiles any) map[string]map[string]any {
	all := map[string]map[string]any{}
	for player, record := range profiles.(map[string]string) {
		var fields map[string]any
		require.NoError(t, json.Unmarshal([]byte(record), &fields))
		if at, dated := fields["at"]; dated {
			require.Positive(t, at)
		}
		delete(fields, "at")
		all[player] = fields
	}
	return all
}
