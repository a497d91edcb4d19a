package duel_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/duel"
	"github.com/framedle/leaderboards/internal/game"
)

func TestOnlySoManyChallengesOfAPlayerWait(t *testing.T) {
	onEngines(t, "duels: {open: 3, invite: 1h}", func(t *testing.T, k *kit) {
		challenge := func(player string) (game.Duel, error) { return k.Challenge(ctx, player, "", "") }
		var made []game.Duel
		for range 3 {
			d, err := challenge("a")
			require.NoError(t, err)
			made = append(made, d)
		}
		before := k.counted(t)
		commands, trips := k.spent(func() {
			_, err := challenge("a")
			require.ErrorIs(t, err, duel.ErrOpen)
		})
		require.EqualValues(t, 6, commands)
		require.EqualValues(t, 1, trips)
		require.Equal(t, k.counted(t)-before, commands, "the meter and Redis itself disagree")
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

		k.clock.pass(time.Hour + time.Second)
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

func TestAskingAgainInTheQueueIsCheapUntilSomebodyCanHaveCome(t *testing.T) {
	onEngines(t, "duels: {queue: {window: 50, growth: 10, cap: 300}}", func(t *testing.T, k *kit) {
		k.rate(t, "far", 1150)
		require.Empty(t, k.join(t, "me").ID)
		for i := range 20 {
			commands, _ := k.spent(func() { require.Empty(t, k.join(t, "me").ID) })
			require.LessOrEqual(t, commands, int64(2), "poll %d", i)
			k.clock.pass(5 * time.Second)
		}
		require.NoError(t, k.Leave(ctx, "me", ""))
		require.Empty(t, k.join(t, "me").ID)
		require.Empty(t, k.join(t, "far").ID, "150 points are 10 s of waiting")
		k.clock.pass(9 * time.Second)
		require.Empty(t, k.join(t, "me").ID)
		require.Empty(t, k.join(t, "far").ID)
		k.clock.pass(time.Second)
		d := k.join(t, "far")
		require.Equal(t, game.DuelReady, d.State, "as soon as the windows have widened so far")
		require.Equal(t, d.ID, k.join(t, "me").ID, "who is taken learns of it when asking")
		commands, _ := k.spent(func() { require.Equal(t, d.ID, k.join(t, "me").ID) })
		require.LessOrEqual(t, commands, int64(3), "a duel that is found")
	})
}

// Whoever has left in another process does not wait on in this one.
func TestWhoWasTakenOutOfTheQueueJoinsAnew(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		other := duel.New(k.options)
		require.Empty(t, k.join(t, "me").ID)
		require.NoError(t, other.Leave(ctx, "me", ""))
		commands, _ := k.spent(func() { require.Empty(t, k.join(t, "me").ID) })
		require.EqualValues(t, 1+9, commands, "the look, and joining")
		d, _, err := other.Join(ctx, "rival", "")
		require.NoError(t, err)
		require.Equal(t, game.DuelReady, d.State)
		require.Equal(t, d.ID, k.join(t, "me").ID)
	})
}
