package friendstore_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/feature/friend/friendstore"
	"github.com/framedle/leaderboards/internal/game"
)

// Lists that Redis had before a player was erased bring back nothing of the player, whether
// somebody's friend or blocked by somebody.
func TestListsBringBackNobodyWhoWasErasedSince(t *testing.T) {
	url := archivetest.Database(t)
	a := testkit.Archive(t, url, friendstore.Tables())
	ctx, noon := t.Context(), time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, player := range []string{"friend", "blocked", "self"} {
		_, err := a.ErasePlayer(ctx, player, game.Act{ID: player, Actor: "operator", At: noon})
		require.NoError(t, err)
	}
	lists := []friend.Lists{
		{Player: "ana", Version: 1, Friends: []string{"friend", "ben"}, Blocked: []string{"blocked", "cleo"}},
		{Player: "self", Version: 1, Friends: []string{"ben"}},
	}
	pairs, err := friendstore.In(a).PutLists(ctx, lists, noon.Add(-time.Second))
	require.NoError(t, err)
	require.Equal(t, 2, pairs)
	known, err := archive.Collect(ctx, a.DB(), "read who is known", `SELECT player FROM friend_players ORDER BY 1`, nil, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"ana", "ben", "cleo"}, known)

	pairs, err = friendstore.In(a).PutLists(ctx, lists[:1], noon.Add(time.Second))
	require.NoError(t, err)
	require.Equal(t, 2, pairs, "who has begun anew")
}
