package friend_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/upstash"
)

// onEngines runs a test over the embedded Redis and over a real one.
func onEngines(t *testing.T, test func(t *testing.T, l *friend.Cache, c *upstash.Client)) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		client := testkit.NewRedis(t, address).Client
		test(t, friend.NewCache(client), client)
	})
}

func TestANewerListIsNeverReplacedByAnOlderOne(t *testing.T) {
	onEngines(t, func(t *testing.T, l *friend.Cache, _ *upstash.Client) {
		ctx := t.Context()
		read := func() []string {
			players, err := l.Read(ctx, "user_a")
			require.NoError(t, err)
			return players
		}
		require.Equal(t, []string{"user_a"}, read())
		for _, write := range []struct {
			version int64
			friends []string
			want    []string
		}{
			{9, []string{"user_b"}, []string{"user_a", "user_b"}},
			{8, []string{"user_c"}, []string{"user_a", "user_b"}},
			{9, []string{"user_b"}, []string{"user_a", "user_b"}},
			{10, nil, []string{"user_a"}}, // 10 is more than 9, not less as texts are
			{9, []string{"user_b"}, []string{"user_a"}},
			{1 << 52, []string{"user_d"}, []string{"user_a", "user_d"}},
			{1<<52 - 1, nil, []string{"user_a", "user_d"}},
		} {
			require.NoError(t, l.Write(ctx, []friend.Lists{{Player: "user_a", Version: write.version, Friends: write.friends}}))
			require.Equal(t, write.want, read(), "%+v", write)
		}
		require.NoError(t, l.Forget(ctx, "user_a"))
		require.Equal(t, []string{"user_a"}, read())
	})
}

func TestWhoBlocksWhomIsOneCommand(t *testing.T) {
	onEngines(t, func(t *testing.T, l *friend.Cache, c *upstash.Client) {
		ctx := t.Context()
		require.NoError(t, l.Write(ctx, []friend.Lists{{Player: "user_a", Version: 1, Blocked: []string{"user_b", "user_bb"}}, {Player: "user_c", Version: 2}}))
		for pair, blocked := range map[[2]string]bool{
			{"user_a", "user_b"}: true, {"user_b", "user_a"}: true, {"user_bb", "user_a"}: true,
			{"user_a", "user_c"}: false, {"user_c", "user_a"}: false, {"user_b", "user_bb"}: false, {"user_a", "user_"}: false,
		} {
			before := c.Meter().Usage().Commands
			err := l.MayMeet(ctx, pair[0], pair[1])
			require.Equal(t, blocked, err == friend.ErrBlocked, "%v: %v", pair, err)
			require.EqualValues(t, 1, c.Meter().Usage().Commands-before)
		}
		require.NoError(t, l.Write(ctx, []friend.Lists{{Player: "user_a", Version: 3}}))
		require.NoError(t, l.MayMeet(ctx, "user_a", "user_b"))
	})
}

func TestManyListsAreWrittenInFewCommands(t *testing.T) {
	onEngines(t, func(t *testing.T, l *friend.Cache, c *upstash.Client) {
		all := make([]friend.Lists, 450)
		for i := range all {
			all[i] = friend.Lists{Player: fmt.Sprint("user_", i), Version: int64(i), Friends: []string{"user_x"}}
			if i%2 == 0 {
				all[i].Blocked = []string{"user_y"}
			}
		}
		before := c.Meter().Usage()
		require.NoError(t, l.Write(t.Context(), all))
		after := c.Meter().Usage()
		require.LessOrEqual(t, after.Commands-before.Commands, int64(3*5+1+450)) // the script is unknown at first
		players, err := l.Read(t.Context(), "user_449")
		require.NoError(t, err)
		require.Equal(t, []string{"user_449", "user_x"}, players)
	})
}

func TestARecordThatIsNoneIsAnError(t *testing.T) {
	redis := testkit.NewRedis(t, "")
	for _, record := range []string{"x", "-1", "01 a", "1 ", "1 a  b", "1 a\nb"} {
		redis.Do("HSET", "blocks", "user_a", record)
		require.Error(t, friend.NewCache(redis.Client).MayMeet(t.Context(), "user_a", "user_b"), "%q", record)
	}
}
