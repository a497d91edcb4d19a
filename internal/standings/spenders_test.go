package standings_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/notices"
	"github.com/framedle/leaderboards/internal/testkit"
	"github.com/stretchr/testify/require"
)

// commands counts what is spent on something.
func (k *kit) commands(do func()) int64 {
	before := k.client.Meter().Usage().Commands
	do()
	return k.client.Meter().Usage().Commands - before
}

func TestPlayersWhoCostMuchAreKnownToEveryNewProcess(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.ageless()
		ctx := t.Context()
		one, other := k.build(t), k.build(t)
		other.Notices.Spenders.Know(ctx)
		watch, refuse := noon.Add(24*time.Hour), noon.Add(28*time.Hour)
		cost := k.commands(func() {
			one.Notices.Spenders.Know(ctx)
			one.Notices.Spenders.Know(ctx)
			require.NoError(t, one.Notices.Spenders.Add(ctx, "user_a", watch, time.Time{}))
		})
		require.EqualValues(t, 2, cost)
		cost = k.commands(func() { require.NoError(t, one.Notices.Spenders.Add(ctx, "user_a", watch, refuse)) })
		require.EqualValues(t, 2, cost, "what stood there before is removed")

		finds := func(b *build, watch, refuse time.Time) {
			w, r := b.Notices.Spenders.Find("user_a")
			require.True(t, w.Equal(watch), w)
			require.True(t, r.Equal(refuse), r)
		}
		finds(one, watch, refuse)
		finds(other, time.Time{}, time.Time{})
		other.elapsed = 15 * time.Minute
		require.Zero(t, k.commands(func() { other.Notices.Spenders.Know(ctx) }))
		_, err := other.Notices.IsBanned(ctx, "user_b")
		require.NoError(t, err)
		finds(other, watch, refuse)
		anew := k.build(t)
		anew.Notices.Spenders.Know(ctx)
		finds(anew, watch, refuse)

		require.NoError(t, one.Notices.Ban(ctx, "user_b"))
		n, err := one.Notices.CountBans(ctx)
		require.NoError(t, err)
		require.Equal(t, 1, n, "they are not banned")
		banned, err := k.build(t).Notices.IsBanned(ctx, "user_a")
		require.NoError(t, err)
		require.False(t, banned)
	})
}

func TestThoseWhoCostMuchAreForgottenAndBounded(t *testing.T) {
	k := newKit(t, "")
	ctx := t.Context()
	members := func() int {
		read := k.redis.Do("SMEMBERS", game.BansKey).([]any)
		return len(read)
	}
	one := k.build(t)
	add := func(i int, refused time.Duration) {
		now := k.clock.Now()
		require.NoError(t, one.Notices.Spenders.Add(ctx, fmt.Sprint("user_", i), now.Add(24*time.Hour), now.Add(refused)))
	}
	for i := range 600 {
		add(i, -time.Hour)
	}
	require.Equal(t, 500, members())
	for i := range 600 {
		add(1000+i, time.Hour)
	}
	require.Equal(t, 900, members(), "who is refused has more room; this process alone knows of the others")
	k.clock.Set(noon.Add(25 * time.Hour))
	late := k.build(t)
	late.Notices.Spenders.Know(ctx)
	one = late
	add(1, time.Hour)
	require.Equal(t, 1, members(), "whose time is over is removed by who comes next")
	require.Empty(t, notices.Among(nil).Banned)
}

// Redis is lost before any request that notes, or reads, who costs much: no process refuses
// anybody for longer than was noted, one that reads again knows what stands then and nothing
// else, and what is noted after the loss is known to all.
func TestNoticesOfSpendersThatAreLostRefuseNobodyForLonger(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.ageless()
		ctx := t.Context()
		watch, refuse := noon.Add(24*time.Hour), noon.Add(28*time.Hour)
		var lives, fresh *build
		begin := func() {
			k.redis.Empty()
			lives, fresh = k.build(t), k.build(t)
		}
		do := func() {
			require.NoError(t, lives.Notices.Spenders.Add(ctx, "user_a", watch, time.Time{}))
			require.NoError(t, lives.Notices.Spenders.Add(ctx, "user_a", watch, refuse))
			lives.elapsed += 15 * time.Minute
			_, err := lives.Notices.IsBanned(ctx, "user_b")
			require.NoError(t, err)
			fresh.Notices.Spenders.Know(ctx)
		}
		testkit.Overtaken(k.redis.Server, begin, do, k.redis.Empty, func(when string) {
			_, remembered := lives.Notices.Spenders.Find("user_a")
			require.False(t, remembered.After(refuse), when)
			lives.elapsed += 15 * time.Minute
			_, err := lives.Notices.IsBanned(ctx, "user_b")
			require.NoError(t, err)
			late := k.build(t)
			late.Notices.Spenders.Know(ctx)
			_, stands := late.Notices.Spenders.Find("user_a")
			_, reads := lives.Notices.Spenders.Find("user_a")
			require.True(t, stands.Equal(reads), "%s: %s stands, %s is known", when, stands, reads)
			later := refuse.Add(4 * time.Hour)
			require.NoError(t, late.Notices.Spenders.Add(ctx, "user_a", watch, later))
			last := k.build(t)
			last.Notices.Spenders.Know(ctx)
			_, known := last.Notices.Spenders.Find("user_a")
			require.True(t, known.Equal(later), when)
		})
	})
}
