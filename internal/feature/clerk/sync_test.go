package clerk_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/clerk"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
)

func TestFiveHundredUsersAreTakenInForAFewCommands(t *testing.T) {
	k := newKit(t)
	ctx := t.Context()
	users := make([]webhook.UserSaved, clerk.MostAtOnce)
	members := make([]webhook.MembershipSaved, clerk.MostAtOnce)
	for i := range users {
		player := fmt.Sprint("user_", i)
		users[i] = saved(player, fmt.Sprint("Name ", i), -30*24*60*60)
		members[i] = joined(fmt.Sprint("orgmem_", i), player, "guild")
	}
	take := func(dryRun bool) (news int, commands int64) {
		commands = k.spent(func() {
			var err error
			news, err = k.TakeUsers(ctx, users, "sync", dryRun)
			require.NoError(t, err)
		})
		return news, commands
	}
	news, commands := take(true)
	require.Equal(t, 500, news)
	require.EqualValues(t, 1, commands)
	require.Empty(t, k.kept)

	news, commands = take(false)
	require.Equal(t, 500, news)
	require.LessOrEqual(t, commands, int64(8))
	require.Equal(t, "Name 7", k.kept["user_7"].Name)

	news, commands = take(false)
	require.Zero(t, news, "what is known is no news")
	require.EqualValues(t, 1, commands)

	require.LessOrEqual(t, k.spent(func() { require.NoError(t, k.TakeMembers(ctx, members)) }), int64(6), "one of them for a script that Redis has not had")
	require.True(t, k.has(t, "user_499", "guild"))
	require.NoError(t, k.TakeMembers(ctx, append([]webhook.MembershipSaved{joined("orgmem_x", "user_1", "team")}, joined("orgmem_y", "user_1", "other"))))
	require.True(t, k.has(t, "user_1", "guild") && k.has(t, "user_1", "team") && k.has(t, "user_1", "other"))
}

// News from a webhook win against an older page, deleted players stay deleted, and a
// membership that has ended does not come back.
func TestWebhooksAndPagesAgree(t *testing.T) {
	k := newKit(t)
	ctx := t.Context()
	require.NoError(t, k.Apply(ctx, "msg_1", saved("user_a", "Anna", 5)))
	require.NoError(t, k.Apply(ctx, "msg_2", webhook.UserDeleted{Player: "user_b"}))
	require.NoError(t, k.Apply(ctx, "msg_3", webhook.MembershipEnded(joined("orgmem_1", "user_a", "guild"))))
	news, err := k.TakeUsers(ctx, []webhook.UserSaved{saved("user_a", "Ana", 1), saved("user_b", "Ben", 9), saved("user_c", "Cleo", 2)}, "sync", false)
	require.NoError(t, err)
	require.Equal(t, 1, news)
	require.Equal(t, "Anna", k.kept["user_a"].Name)
	require.NotContains(t, k.kept, "user_b")
	require.NoError(t, k.TakeMembers(ctx, []webhook.MembershipSaved{joined("orgmem_1", "user_a", "guild"), joined("orgmem_2", "user_b", "guild"), joined("orgmem_3", "user_c", "guild")}))
	require.False(t, k.has(t, "user_a", "guild") || k.has(t, "user_b", "guild"))
	require.True(t, k.has(t, "user_c", "guild"))
	// An older webhook that comes late does not overwrite the page.
	require.NoError(t, k.Apply(ctx, "msg_4", saved("user_c", "Cl", 1)))
	require.Equal(t, "Cleo", k.kept["user_c"].Name)
}
