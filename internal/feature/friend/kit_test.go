package friend_test

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/feature/friend/friendstore"
)

// TestMain keeps property tests short.
func TestMain(m *testing.M) { os.Exit(testkit.Main(m, "25", "20")) }

var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

// kit is the service over a real Postgres and an embedded Redis.
type kit struct {
	*friend.Service
	archive *archive.Archive
	lists   *friend.Cache
	redis   *testkit.Redis
	clock   *testkit.Clock
}

func newKit(t testing.TB) *kit {
	t.Helper()
	redis := testkit.NewRedis(t, "", testkit.AtOnce)
	k := &kit{archive: testkit.Archive(t, archivetest.Database(t)), lists: friend.NewCache(redis.Client), redis: redis, clock: testkit.Ticking(noon)}
	k.Service = friend.System(friendstore.In(k.archive), k.lists, k.clock.Now)
	return k
}

func (k *kit) act(t require.TestingT, action friend.Action, player, other string) friend.Outcome {
	outcome, err := k.Act(context.Background(), action, player, other)
	require.NoError(t, err)
	return outcome
}

// befriend makes two players friends.
func (k *kit) befriend(t require.TestingT, a, b string) {
	k.act(t, friend.Ask, a, b)
	require.Equal(t, friend.Friends, k.act(t, friend.Accept, b, a))
}

// listed are a player's friends as boards see them.
func (k *kit) listed(t require.TestingT, player string) []string {
	players, err := k.lists.Read(context.Background(), player)
	require.NoError(t, err)
	require.Contains(t, players, player)
	return slices.DeleteFunc(players, func(id string) bool { return id == player })
}
