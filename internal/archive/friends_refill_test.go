package archive_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/game"
)

// Lists that Redis had before a player was erased bring back nothing of the player, whether
// somebody's friend or blocked by somebody.
func TestListsBringBackNobodyWhoWasErasedSince(t *testing.T) {
	url := archivetest.Database(t)
	a, _ := openAt(t, url, 1)
	for _, player := range []string{"friend", "blocked", "self"} {
		_, err := a.ErasePlayer(ctx, player, game.Act{ID: player, Actor: "operator", At: noon})
		require.NoError(t, err)
	}
	lists := []friend.Lists{
		{Player: "ana", Version: 1, Friends: []string{"friend", "ben"}, Blocked: []string{"blocked", "cleo"}},
		{Player: "self", Version: 1, Friends: []string{"ben"}},
	}
	pairs, err := a.Friends.PutLists(ctx, lists, noon.Add(-time.Second))
	require.NoError(t, err)
	require.Equal(t, 2, pairs)
	require.Equal(t, []string{"ana", "ben", "cleo"}, query(t, url, `SELECT player FROM friend_players ORDER BY 1`))

	pairs, err = a.Friends.PutLists(ctx, lists[:1], noon.Add(time.Second))
	require.NoError(t, err)
	require.Equal(t, 2, pairs, "who has begun anew")
}
