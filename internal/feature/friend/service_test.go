package friend_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestBothWhoAskAtOnceAreFriendsOnce(t *testing.T) {
	k := newKit(t)
	for i := range 20 {
		a, b := fmt.Sprint("user_a", i), fmt.Sprint("user_b", i)
		var both sync.WaitGroup
		both.Go(func() { k.act(t, friend.Ask, a, b) })
		both.Go(func() { k.act(t, friend.Ask, b, a) })
		both.Wait()
		require.Equal(t, []string{b}, k.listed(t, a))
		require.Equal(t, []string{a}, k.listed(t, b))
		r, err := k.Relations(t.Context(), a)
		require.NoError(t, err)
		require.Empty(t, r.Sent)
		require.Empty(t, r.Received)
	}
}

func TestABlockWinsOverAnAcceptAtTheSameTime(t *testing.T) {
	k := newKit(t)
	for i := range 20 {
		a, b := fmt.Sprint("user_a", i), fmt.Sprint("user_b", i)
		k.act(t, friend.Ask, a, b)
		var both sync.WaitGroup
		both.Go(func() { k.act(t, friend.Accept, b, a) })
		both.Go(func() { k.act(t, friend.Block, a, b) })
		both.Wait()
		require.Empty(t, k.listed(t, a))
		require.Empty(t, k.listed(t, b))
		require.ErrorIs(t, k.lists.MayMeet(t.Context(), b, a), friend.ErrBlocked)
	}
}

// If several players come when there is room for one, exactly one gets in.
func TestThe501stIsRefusedWhoeverComesAtOnce(t *testing.T) {
	k := newKit(t)
	const star = "user_star"
	for i := range friend.MostFriends + 7 {
		k.act(t, friend.Ask, fmt.Sprintf("user_%03d", i), star)
	}
	for i := range friend.MostFriends - 1 {
		require.Equal(t, friend.Friends, k.act(t, friend.Accept, star, fmt.Sprintf("user_%03d", i)))
	}
	outcomes := make([]friend.Outcome, 8)
	var all sync.WaitGroup
	for i := range outcomes {
		all.Go(func() {
			outcomes[i] = k.act(t, friend.Accept, star, fmt.Sprintf("user_%03d", friend.MostFriends-1+i))
		})
	}
	all.Wait()
	counts := map[friend.Outcome]int{}
	for _, o := range outcomes {
		counts[o]++
	}
	require.Equal(t, map[friend.Outcome]int{friend.Friends: 1, friend.FullMe: 7}, counts)
	require.Len(t, k.listed(t, star), friend.MostFriends)
	// From the other side it is the same limit.
	k.act(t, friend.Ask, star, "user_fan")
	require.Equal(t, friend.FullOther, k.act(t, friend.Accept, "user_fan", star))
}

// A change that could not be copied is copied by asking again, and by Settle.
func TestWhatCouldNotBeCopiedIsCopiedLater(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	k.befriend(t, "user_a", "user_b")
	k.befriend(t, "user_a", "user_c")
	down := upstashtest.Fault{Status: 500}
	for name, repair := range map[string]func(){
		"user_b": func() { k.act(t, friend.Block, "user_a", "user_b") }, // the same again
		"user_c": func() { require.NoError(t, k.Settle(ctx)) },
	} {
		k.redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault { return down })
		_, err := k.Act(ctx, friend.Block, "user_a", name)
		require.Error(t, err, "nothing is answered that readers do not see")
		k.redis.Server.Inject(func(upstashtest.Request) upstashtest.Fault { return upstashtest.Fault{} })
		require.Contains(t, k.listed(t, "user_a"), name)
		repair()
		require.NotContains(t, k.listed(t, "user_a"), name)
		require.NotContains(t, k.listed(t, name), "user_a")
		require.ErrorIs(t, k.lists.MayMeet(ctx, "user_a", name), friend.ErrBlocked)
	}
}

func TestALostRedisIsFilledAgain(t *testing.T) {
	k := newKit(t)
	k.befriend(t, "user_a", "user_b")
	k.act(t, friend.Block, "user_c", "user_d")
	k.act(t, friend.Ask, "user_e", "user_f")
	_, err := k.redis.Server.Redis().Do(t.Context(), "FLUSHALL")
	require.NoError(t, err)
	require.Empty(t, k.listed(t, "user_a"))
	players, err := k.Restore(t.Context())
	require.NoError(t, err)
	require.Equal(t, 3, players)
	require.Equal(t, []string{"user_b"}, k.listed(t, "user_a"))
	require.Equal(t, []string{"user_a"}, k.listed(t, "user_b"))
	require.ErrorIs(t, k.lists.MayMeet(t.Context(), "user_c", "user_d"), friend.ErrBlocked)
}

func TestErasingAPlayerChangesEverybodysLists(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	for i := range 5 {
		k.befriend(t, "user_a", fmt.Sprint("user_b", i))
	}
	k.act(t, friend.Block, "user_a", "user_c")
	k.act(t, friend.Ask, "user_d", "user_a")
	code, _, err := k.Invite(ctx, "user_a", 3)
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, k.Erase(ctx, "user_a"))
		require.Empty(t, k.listed(t, "user_a"))
		for i := range 5 {
			require.Empty(t, k.listed(t, fmt.Sprint("user_b", i)))
		}
		require.NoError(t, k.lists.MayMeet(ctx, "user_a", "user_c"))
		r, err := k.Relations(ctx, "user_d")
		require.NoError(t, err)
		require.Empty(t, r.Sent)
		outcome, _, err := k.Redeem(ctx, "user_e", code)
		require.NoError(t, err)
		require.Equal(t, friend.None, outcome)
	}
	k.befriend(t, "user_a", "user_b1") // who comes again begins anew
	require.Equal(t, []string{"user_b1"}, k.listed(t, "user_a"))
}

func TestOnlyTheNewestInvitesAreGood(t *testing.T) {
	k := newKit(t)
	ctx := context.Background()
	codes := make([]string, friend.MostInvites+2)
	for i := range codes {
		var err error
		codes[i], _, err = k.Invite(ctx, "user_a", 1)
		require.NoError(t, err)
		require.Len(t, codes[i], friend.CodeLength)
		require.Empty(t, strings.Trim(codes[i], "abcdefghijklmnopqrstuvwxyz234567"))
	}
	for i, code := range codes {
		outcome, other, err := k.Redeem(ctx, fmt.Sprint("user_b", i), code)
		require.NoError(t, err)
		if i < 2 {
			require.Equal(t, friend.None, outcome)
			require.Empty(t, other)
			continue
		}
		require.Equal(t, friend.Friends, outcome, i)
		require.Equal(t, "user_a", other)
	}
	code, expires, err := k.Invite(ctx, "user_a", 1)
	require.NoError(t, err)
	k.clock.Set(expires.Add(-time.Minute))
	outcome, _, err := k.Redeem(ctx, "user_late", code)
	require.NoError(t, err)
	require.Equal(t, friend.Friends, outcome)
	k.clock.Set(expires)
	outcome, _, err = k.Redeem(ctx, "user_late", code)
	require.NoError(t, err)
	require.Equal(t, friend.None, outcome)
	for _, uses := range []int{0, -1, friend.MostUses + 1} {
		_, _, err := k.Invite(ctx, "user_a", uses)
		require.ErrorContains(t, err, "want 1 to 100")
	}
}
