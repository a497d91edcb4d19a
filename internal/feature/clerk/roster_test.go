package clerk_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/clerk"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
	"github.com/framedle/leaderboards/upstash"
)

var (
	noon    = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	errAway = errors.New("it does not answer")
)

// kit is a roster over a real Redis, and what it asks of others.
type kit struct {
	*clerk.Roster
	store  *lifecycle.Parts
	redis  *upstash.Client
	erased []string // player and act
	kept   map[string]game.Profile
	during func() // what happens while a profile is being kept
	away   error  // of the eraser
}

func newKit(t *testing.T) *kit {
	t.Helper()
	k := &kit{kept: map[string]game.Profile{}, during: func() {}}
	k.redis = testkit.NewRedis(t, testkit.RealRedis(t)).Client
	g := testkit.Game(t, "name: testing\nmodes:\n  daily: {max: 100}\n")
	k.store = lifecycle.New(lifecycle.Options{Redis: k.redis, Game: g, Now: func() time.Time { return noon }})
	k.Roster = &clerk.Roster{Players: k.store.Players, Redis: k.redis, Eraser: k, Profiles: k}
	return k
}

func (k *kit) ErasePlayer(_ context.Context, player, act string) error {
	if k.away != nil {
		return k.away
	}
	k.erased = append(k.erased, player+" "+act)
	delete(k.kept, player)
	return nil
}

func (k *kit) KeepProfiles(_ context.Context, all []game.PlayerProfile) error {
	k.during()
	for _, t := range all {
		k.kept[t.Player] = t.Profile
	}
	return nil
}

// spent is how many commands f costs.
func (k *kit) spent(f func()) int64 {
	before := k.redis.Meter().Usage().Commands
	f()
	return k.redis.Meter().Usage().Commands - before
}

// has asks a process that remembers nothing.
func (k *kit) has(t require.TestingT, player, group string) bool {
	has, err := clerk.NewGroups(k.redis).Has(context.Background(), player, []string{group})
	require.NoError(t, err)
	return has
}

func saved(player, name string, seconds int) webhook.UserSaved {
	return webhook.UserSaved{Player: player, Name: name, Moment: noon.Add(time.Duration(seconds) * time.Second)}
}

func joined(id, player, group string) webhook.MembershipSaved {
	return webhook.MembershipSaved{ID: id, Player: player, Group: group, Moment: noon}
}

func TestAMessageHasItsEffectOnce(t *testing.T) {
	k := newKit(t)
	ctx := t.Context()
	require.NoError(t, k.Apply(ctx, "msg_1", saved("user_a", "Ana", 1)))
	require.Equal(t, "Ana", k.kept["user_a"].Name)
	delete(k.kept, "user_a")
	require.EqualValues(t, 1, k.spent(func() { require.NoError(t, k.Apply(ctx, "msg_1", saved("user_a", "Ana", 1))) }))
	require.NoError(t, k.Apply(ctx, "msg_1", webhook.UserDeleted{Player: "user_a"}), "a message is known by its id")
	require.Empty(t, k.kept)
	require.Empty(t, k.erased)
	require.EqualValues(t, 2, k.spent(func() { require.NoError(t, k.Apply(ctx, "msg_2", webhook.Ignored{Type: "email.created"})) }))
}

func TestNewsThatCameLateChangeNothing(t *testing.T) {
	k := newKit(t)
	ctx := t.Context()
	require.NoError(t, k.Apply(ctx, "msg_1", saved("user_a", "Anna", 2)))
	require.NoError(t, k.Apply(ctx, "msg_2", saved("user_a", "Ana", 1)))
	shown, err := k.store.Players.ProfileOf(ctx, "user_a")
	require.NoError(t, err)
	require.Equal(t, "Anna", shown.Name)
	require.Equal(t, "Anna", k.kept["user_a"].Name)
}

func TestRedisAloneIsEnough(t *testing.T) {
	k := newKit(t)
	k.Profiles = nil
	require.NoError(t, k.Apply(t.Context(), "msg_1", saved("user_a", "Ana", 1)))
	shown, err := k.store.Players.ProfileOf(t.Context(), "user_a")
	require.NoError(t, err)
	require.Equal(t, "Ana", shown.Name)
}

func TestADeletionThatFailedIsHadAgain(t *testing.T) {
	k := newKit(t)
	ctx := t.Context()
	require.NoError(t, k.Apply(ctx, "msg_1", joined("orgmem_1", "user_a", "guild")))
	k.away = errAway
	require.ErrorIs(t, k.Apply(ctx, "msg_2", webhook.UserDeleted{Player: "user_a"}), errAway)
	k.away = nil
	for range 2 {
		require.NoError(t, k.Apply(ctx, "msg_2", webhook.UserDeleted{Player: "user_a"}))
		require.Equal(t, []string{"user_a msg_2"}, k.erased)
	}
	require.False(t, k.has(t, "user_a", "guild"))
	// Whatever comes late, the player stays deleted.
	require.NoError(t, k.Apply(ctx, "msg_3", joined("orgmem_2", "user_a", "guild")))
	require.NoError(t, k.Apply(ctx, "msg_4", saved("user_a", "Ana", 9)))
	require.False(t, k.has(t, "user_a", "guild"))
	require.Empty(t, k.kept)
}

// A profile is read, the player is deleted, and only then is the profile kept.
func TestAProfileDoesNotOutliveAPlayerWhoIsDeletedMeanwhile(t *testing.T) {
	k := newKit(t)
	ctx := t.Context()
	k.during = func() {
		k.during = func() {}
		require.NoError(t, k.Apply(ctx, "msg_2", webhook.UserDeleted{Player: "user_a"}))
	}
	require.NoError(t, k.Apply(ctx, "msg_1", saved("user_a", "Ana", 1)))
	require.Empty(t, k.kept)
	require.Equal(t, []string{"user_a msg_2", "user_a msg_1"}, k.erased)
}

// In whatever order, and however often, news of memberships come: a player belongs to the
// groups of those that have begun and not ended.
func TestMembershipsDoNotDependOnTheOrderOfTheirNews(t *testing.T) {
	k := newKit(t)
	var messages, round atomic.Int64
	groups := []string{"guild", "guild-2", "uild", "0"}
	rapid.Check(t, func(r *rapid.T) {
		n := round.Add(1)
		player := fmt.Sprint("user_", n)
		var news []webhook.Event
		belongs := map[string]bool{}
		for i := range rapid.IntRange(1, 6).Draw(r, "memberships") {
			m := joined(fmt.Sprintf("orgmem_%d_%d", n, i), player, rapid.SampledFrom(groups).Draw(r, "group"))
			ends := rapid.Bool().Draw(r, "ends")
			began := !ends || rapid.Bool().Draw(r, "its beginning is told")
			for range rapid.IntRange(1, 2).Draw(r, "times") {
				if began {
					news = append(news, m)
				}
				if ends {
					news = append(news, webhook.MembershipEnded(m))
				}
			}
			belongs[m.Group] = belongs[m.Group] || began && !ends
		}
		news = rapid.Permutation(news).Draw(r, "order")
		for _, event := range news {
			require.NoError(r, k.Apply(context.Background(), fmt.Sprint("msg_", messages.Add(1)), event))
		}
		for _, group := range groups {
			require.Equal(r, belongs[group], k.has(r, player, group), "%s after %+v", group, news)
		}
	})
}

func TestAllOfTheGroupsAreAskedFor(t *testing.T) {
	k := newKit(t)
	ctx := t.Context()
	for i, group := range []string{"guild", "team"} {
		require.NoError(t, k.Apply(ctx, fmt.Sprint("msg_", i), joined(fmt.Sprint("orgmem_", i), "user_a", group)))
	}
	groups := clerk.NewGroups(k.redis)
	for _, test := range []struct {
		player string
		groups []string
		has    bool
		cost   int64 // in commands; what is known is asked for once a minute
	}{
		{"user_a", []string{"guild", "team"}, true, 1},
		{"user_a", []string{"team"}, true, 0},
		{"user_a", []string{"guild", "other"}, false, 0},
		{"user_b", []string{"guild"}, false, 1},
		{"user_b", []string{"guild"}, false, 0},
	} {
		require.Equal(t, test.cost, k.spent(func() {
			has, err := groups.Has(ctx, test.player, test.groups)
			require.NoError(t, err)
			require.Equal(t, test.has, has, "%+v", test)
		}), "%+v", test)
	}
}

// Without Redis, nobody's groups are known, and no message counts as applied.
func TestWithoutRedisNothingIsDecided(t *testing.T) {
	k := newKit(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := clerk.NewGroups(k.redis).Has(ctx, "user_a", []string{"guild"})
	require.ErrorContains(t, err, "read the groups of user_a")
	require.Error(t, k.Apply(ctx, "msg_1", joined("orgmem_1", "user_a", "guild")))
	require.NoError(t, k.Apply(t.Context(), "msg_1", joined("orgmem_1", "user_a", "guild")))
	require.True(t, k.has(t, "user_a", "guild"))
}
