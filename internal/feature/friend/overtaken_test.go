package friend_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/friend"
)

// A player who is erased while lists are being copied has no lists afterwards, and is on no
// other list.
func TestAnErasedPlayersListsAreNotCopiedBack(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	a, b, n := "", "", 0
	begin := func() {
		n++
		a, b = fmt.Sprint("user_a", n), fmt.Sprint("user_b", n)
		k.befriend(t, a, b)
	}
	restore := func() {
		_, err := k.Restore(ctx)
		require.NoError(t, err)
	}
	for name, do := range map[string]func(){
		"a change": func() { k.act(t, friend.Block, a, "user_c") },
		"of theirs": func() {
			k.act(t, friend.Ask, "user_d", a)
			k.act(t, friend.Accept, a, "user_d")
		},
		"a restore": restore,
	} {
		erase := func() { require.NoError(t, k.Erase(ctx, a)) }
		testkit.Overtaken(k.redis.Server, begin, do, erase, func(when string) {
			if name == "of theirs" && len(k.listed(t, a)) > 0 { // they became friends behind it
				require.Equal(t, []string{"user_d"}, k.listed(t, a), when)
				erase()
			}
			for _, key := range []string{"lists", "blocks"} {
				require.NotContains(t, k.redis.Do("HKEYS", key), a, "%s, %s %s", key, name, when)
			}
			require.Empty(t, k.listed(t, a), "%s %s", name, when)
			require.Empty(t, k.listed(t, b), "%s %s", name, when)
			r, err := k.Relations(ctx, a)
			require.NoError(t, err)
			require.Empty(t, r.Friends)
		})
	}
}
