package duel_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
)

func TestOnlySoManyChallengesOfAPlayerWait(t *testing.T) {
	onEngines(t, "duels: {open: 3, invite: 1h}", func(t *testing.T, k *kit) {
		challenge := func(player string) (duel.Duel, error) { return k.Challenge(ctx, player, "", "") }
		var made []duel.Duel
		for range 3 {
			d, err := challenge("a")
			require.NoError(t, err)
			made = append(made, d)
		}
		before := k.redis.Ran()
		commands, trips := k.redis.Spent(func() {
			_, err := challenge("a")
			require.ErrorIs(t, err, duel.ErrOpen)
		})
		require.EqualValues(t, 6, commands)
		require.EqualValues(t, 1, trips)
		require.Equal(t, k.redis.Ran()-before, commands, "the meter and Redis itself disagree")
		_, err := challenge("b")
		require.NoError(t, err, "each player has their own")
		k.ready(t, "m1", "a", "b") // a game server may arrange as many as it likes

		_, err = k.ChallengeAs(ctx, made[0].ID, "a", "", "")
		require.NoError(t, err, "sent again it is the same one")
		_, err = k.Accept(ctx, made[1].ID, "b")
		require.NoError(t, err)
		_, err = challenge("a")
		require.NoError(t, err, "one was accepted")
		_, err = challenge("a")
		require.ErrorIs(t, err, duel.ErrOpen)

		k.clock.Pass(time.Hour + time.Second)
		for range 3 {
			_, err = challenge("a")
			require.NoError(t, err, "the time of the others is over")
		}
		_, err = challenge("a")
		require.ErrorIs(t, err, duel.ErrOpen)
	})
}

func TestChallengesAtOnceAreCountedInOneStep(t *testing.T) {
	onEngines(t, "duels: {open: 20}", func(t *testing.T, k *kit) {
		var made atomic.Int64
		var wait sync.WaitGroup
		for range 60 {
			wait.Go(func() {
				if _, err := k.Challenge(ctx, "a", "", ""); err == nil {
					made.Add(1)
				}
			})
		}
		wait.Wait()
		require.EqualValues(t, 20, made.Load())
	})
}

func TestAChallengeIsForWhomItNames(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		d, err := k.Challenge(ctx, "a", "b", "daily")
		require.NoError(t, err)
		require.Equal(t, duel.Waiting, d.State)
		_, err = k.Accept(ctx, d.ID, "c")
		require.ErrorIs(t, err, duel.ErrUnknown)
		_, err = k.Accept(ctx, d.ID, "a")
		require.ErrorIs(t, err, duel.ErrOwn)
		_, err = k.Report(ctx, d.ID, duel.Result{Player: "a", Winner: "a"})
		require.ErrorIs(t, err, duel.ErrNotReady)
		_, err = k.Report(ctx, d.ID, duel.Result{Player: "b", Winner: "b"})
		require.ErrorIs(t, err, duel.ErrUnknown, "who has not accepted is no player of it")
		listed, err := k.Of(ctx, "b", duel.Mark{}, 5)
		require.NoError(t, err)
		require.Equal(t, []duel.Duel{d}, listed, "a challenge waits where its opponent looks")
		for range 2 {
			d, err = k.Accept(ctx, d.ID, "b")
			require.NoError(t, err)
			require.Equal(t, duel.Ready, d.State)
			require.Equal(t, 32.0, d.K)
		}
		_, err = k.Accept(ctx, d.ID, "c")
		require.ErrorIs(t, err, duel.ErrTaken)
	})
}

func TestAChallengeExpires(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		d, err := k.Challenge(ctx, "a", "", "")
		require.NoError(t, err)
		k.clock.Pass(k.rules.Invite + time.Second)
		_, err = k.Accept(ctx, d.ID, "b")
		require.ErrorIs(t, err, duel.ErrOver)
		d, err = k.Duel(ctx, d.ID)
		require.NoError(t, err)
		require.Equal(t, duel.Expired, d.State)
		_, err = k.Report(ctx, d.ID, duel.Result{Winner: "a"})
		require.ErrorIs(t, err, duel.ErrOver, "a game server cannot decide what one player alone began")
	})
}

func TestOnlyOneOfManyAcceptsAnOpenChallenge(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		d, err := k.Challenge(ctx, "a", "", "")
		require.NoError(t, err)
		taken := make(chan error, 32)
		for i := range cap(taken) {
			go func() {
				_, err := k.Accept(ctx, d.ID, "b"+string(rune('a'+i)))
				taken <- err
			}()
		}
		won := 0
		for range cap(taken) {
			if err := <-taken; err == nil {
				won++
			} else {
				require.ErrorIs(t, err, duel.ErrTaken)
			}
		}
		require.Equal(t, 1, won)
	})
}

func TestAnIDStandsForOneDuel(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		first := k.ready(t, "m", "a", "b")
		k.clock.Pass(time.Hour)
		require.Equal(t, first, k.ready(t, "m", "a", "b"))
		_, err := k.Arrange(ctx, "m", [2]string{"b", "a"}, "")
		require.ErrorIs(t, err, duel.ErrOther)
		_, err = k.Arrange(ctx, "m", [2]string{"a", "b"}, "daily")
		require.ErrorIs(t, err, duel.ErrOther)
	})
}

func TestARematchThatNobodyTookIsOfferedAgain(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		k.ready(t, "m", "a", "b")
		_, err := k.Rematch(ctx, "m", "a")
		require.ErrorIs(t, err, duel.ErrNotDecided)
		_, err = k.Report(ctx, "m", duel.Result{Winner: "a"})
		require.NoError(t, err)
		_, err = k.Rematch(ctx, "m", "c")
		require.ErrorIs(t, err, duel.ErrUnknown)
		first, err := k.Rematch(ctx, "m", "a")
		require.NoError(t, err)
		k.clock.Pass(k.rules.Invite + time.Second)
		second, err := k.Rematch(ctx, "m", "b")
		require.NoError(t, err)
		require.NotEqual(t, first.ID, second.ID)
		require.Equal(t, duel.Waiting, second.State)
		met, err := k.Rematch(ctx, "m", "a")
		require.NoError(t, err)
		require.Equal(t, second.ID, met.ID)
		require.Equal(t, duel.Ready, met.State)
	})
}
