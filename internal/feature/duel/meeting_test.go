package duel_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash"
)

// rate gives a player a rating.
func (k *kit) rate(t *testing.T, player string, rating float64) {
	_, err := k.redis.Client.Do(ctx, upstash.Cmd("ZADD", game.DuelKey, game.FormatStored(rating), player).Idempotent())
	require.NoError(t, err)
}

func (k *kit) join(t *testing.T, player string) duel.Duel {
	d, _, err := k.Queue().Join(ctx, player, "")
	require.NoError(t, err)
	return d
}

func TestTheWindowWidensWithWaiting(t *testing.T) {
	onEngines(t, "duels: {queue: {window: 50, growth: 10, cap: 300}}", func(t *testing.T, k *kit) {
		k.rate(t, "strong", 1200)
		k.rate(t, "champion", 1600)
		require.Empty(t, k.join(t, "weak").ID)
		require.Empty(t, k.join(t, "strong").ID)
		require.Empty(t, k.join(t, "champion").ID)
		for range 3 { // 15 s are 150 points more: 200 in all
			require.Empty(t, k.join(t, "weak").ID)
			require.Empty(t, k.join(t, "strong").ID)
			require.Empty(t, k.join(t, "champion").ID)
			k.clock.Pass(5 * time.Second)
		}
		d := k.join(t, "strong")
		require.Equal(t, [2]string{"strong", "weak"}, d.Players)
		require.Equal(t, d.ID, k.join(t, "weak").ID, "the other is told when asking")
		require.Equal(t, d.ID, k.join(t, "strong").ID)
		for range 20 {
			k.clock.Pass(5 * time.Second)
			_, place, err := k.Queue().Join(ctx, "champion", "")
			require.NoError(t, err)
			require.LessOrEqual(t, place.Window, 300.0)
		}
	})
}

func TestTheNearestIsTakenAndThoseWhoLeftAreNot(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		for player, rating := range map[string]float64{"far": 1090, "near": 940, "left": 1001, "away": 1002, "other mode": 1000} {
			k.rate(t, player, rating)
		}
		require.Empty(t, k.join(t, "away").ID)
		k.clock.Pass(k.rules.Queue.Away + time.Second)
		require.Empty(t, k.join(t, "near").ID)
		_, _, err := k.Queue().Join(ctx, "other mode", "daily")
		require.NoError(t, err)
		k.rate(t, "far", 2000) // so that the two do not meet
		require.Empty(t, k.join(t, "far").ID)
		k.rate(t, "left", 3000)
		require.Empty(t, k.join(t, "left").ID)
		require.NoError(t, k.Queue().Leave(ctx, "left", ""))
		k.rate(t, "left", 1001)
		require.Equal(t, [2]string{"me", "near"}, k.join(t, "me").Players)
	})
}

// Many players ask at once, again and again: each gets one opponent, and both
// know the same duel.
func TestEverybodyInTheQueueMeetsOneOther(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		const players = 24
		var mu sync.Mutex
		met := map[string]duel.Duel{}
		var wait sync.WaitGroup
		for i := range players {
			wait.Go(func() {
				player := fmt.Sprintf("p%d", i)
				for range 200 {
					d, _, err := k.Queue().Join(ctx, player, "")
					require.NoError(t, err)
					if d.ID != "" {
						mu.Lock()
						met[player] = d
						mu.Unlock()
						return
					}
				}
			})
		}
		wait.Wait()
		for i := range players { // who was taken after asking for the last time
			player := fmt.Sprintf("p%d", i)
			if d := k.join(t, player); met[player].ID == "" {
				met[player] = d
			}
		}
		duels := map[string]int{}
		for player, d := range met {
			require.GreaterOrEqual(t, d.Place(player), 0)
			duels[d.ID]++
		}
		require.Len(t, duels, players/2)
		for id, n := range duels {
			require.Equal(t, 2, n, id)
		}
	})
}

func TestAskingAgainInTheQueueIsCheapUntilSomebodyCanHaveCome(t *testing.T) {
	onEngines(t, "duels: {queue: {window: 50, growth: 10, cap: 300}}", func(t *testing.T, k *kit) {
		k.rate(t, "far", 1150)
		require.Empty(t, k.join(t, "me").ID)
		for i := range 20 {
			commands, _ := k.redis.Spent(func() { require.Empty(t, k.join(t, "me").ID) })
			require.LessOrEqual(t, commands, int64(2), "poll %d", i)
			k.clock.Pass(5 * time.Second)
		}
		require.NoError(t, k.Queue().Leave(ctx, "me", ""))
		require.Empty(t, k.join(t, "me").ID)
		require.Empty(t, k.join(t, "far").ID, "150 points are 10 s of waiting")
		k.clock.Pass(9 * time.Second)
		require.Empty(t, k.join(t, "me").ID)
		require.Empty(t, k.join(t, "far").ID)
		k.clock.Pass(time.Second)
		d := k.join(t, "far")
		require.Equal(t, duel.Ready, d.State, "as soon as the windows have widened so far")
		require.Equal(t, d.ID, k.join(t, "me").ID, "who is taken learns of it when asking")
		commands, _ := k.redis.Spent(func() { require.Equal(t, d.ID, k.join(t, "me").ID) })
		require.LessOrEqual(t, commands, int64(3), "a duel that is found")
	})
}

// A player who has left the queue in another process does not go on waiting in this one.
func TestWhoWasTakenOutOfTheQueueJoinsAnew(t *testing.T) {
	onEngines(t, "", func(t *testing.T, k *kit) {
		other := duel.New(k.options)
		require.Empty(t, k.join(t, "me").ID)
		require.NoError(t, other.Queue().Leave(ctx, "me", ""))
		commands, _ := k.redis.Spent(func() { require.Empty(t, k.join(t, "me").ID) })
		require.EqualValues(t, 1+9, commands, "the look, and joining")
		d, _, err := other.Queue().Join(ctx, "rival", "")
		require.NoError(t, err)
		require.Equal(t, duel.Ready, d.State)
		require.Equal(t, d.ID, k.join(t, "me").ID)
	})
}
