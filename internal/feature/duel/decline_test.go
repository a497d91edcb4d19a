package duel_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
)

func TestAChallengeIsDeclinedOrWithdrawn(t *testing.T) {
	onEngines(t, "duels: {open: 1, invite: 1h}", func(t *testing.T, k *kit) {
		for _, player := range []string{"a", "b"} { // the challenger withdraws, the opponent declines
			d, err := k.Challenge(ctx, "a", "b", "daily")
			require.NoError(t, err, "the one before is no longer open")
			_, err = k.Decline(ctx, d.ID, "c")
			require.ErrorIs(t, err, duel.ErrUnknown)
			k.clock.Pass(time.Second)
			for range 2 { // sent again it is the same
				before := k.redis.Ran()
				commands, trips := k.redis.Spent(func() {
					ended, err := k.Decline(ctx, d.ID, player)
					require.NoError(t, err)
					require.Equal(t, duel.Expired, ended.State)
				})
				require.LessOrEqual(t, commands, int64(5))
				require.EqualValues(t, 2, trips)
				require.Equal(t, k.redis.Ran()-before, commands, "the meter and Redis itself disagree")
			}
			for _, of := range []string{"a", "b"} {
				listed, err := k.Of(ctx, of, duel.Mark{}, 1)
				require.NoError(t, err)
				require.Equal(t, duel.Expired, listed[0].State)
			}
			_, err = k.Accept(ctx, d.ID, "b")
			require.ErrorIs(t, err, duel.ErrOver)
			_, err = k.Report(ctx, d.ID, duel.Result{Winner: "a"})
			require.ErrorIs(t, err, duel.ErrOver, "nobody had accepted")
		}
		did, err := k.Keeper().Keep(context.Background())
		require.NoError(t, err)
		require.Zero(t, did.Waiting)
		require.Equal(t, 2, did.Dropped)
	})
}

func TestAnOpenChallengeIsWithdrawnByItsChallengerAlone(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		d, err := k.Challenge(ctx, "a", "", "")
		require.NoError(t, err)
		_, err = k.Decline(ctx, d.ID, "b")
		require.ErrorIs(t, err, duel.ErrUnknown)
		_, err = k.Decline(ctx, d.ID, "a")
		require.NoError(t, err)
		_, err = k.Accept(ctx, d.ID, "b")
		require.ErrorIs(t, err, duel.ErrOver)

		_, err = k.Decline(ctx, "nothing", "a")
		require.ErrorIs(t, err, duel.ErrUnknown)
		ready := k.ready(t, "m", "a", "b")
		for _, player := range []string{"a", "b"} {
			_, err = k.Decline(ctx, ready.ID, player)
			require.ErrorIs(t, err, duel.ErrAccepted)
		}
	})
}

func TestWhoIsApartDoesNotSeeWhatToDecline(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		k.keepApart("blocker", "blocked")
		d, err := k.Challenge(ctx, "blocked", "blocker", "")
		require.NoError(t, err)
		_, err = k.Decline(ctx, d.ID, "blocker")
		require.ErrorIs(t, err, duel.ErrUnknown)
		ended, err := k.Decline(ctx, d.ID, "blocked")
		require.NoError(t, err)
		require.Equal(t, duel.Expired, ended.State)
	})
}
