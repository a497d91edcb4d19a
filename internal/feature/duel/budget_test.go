package duel_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/duel"
)

// A provisional K takes 2 commands of each step that makes a duel ready. Each row
// fails when its operation spends one command or round trip more than
// it says, or when the meter and Redis itself disagree.
func TestDuelsStayWithinTheirBudgets(t *testing.T) {
	holdDuelBudgets(t, "duels: {provisional: {duels: 5, k: 64}}")
}

// What idle weeks cost is read and written with the ratings themselves.
func TestDuelsCostNothingMoreWhereRatingsDecay(t *testing.T) {
	holdDuelBudgets(t, "duels: {provisional: {duels: 5, k: 64}, decay: {points: 10}}")
}

func holdDuelBudgets(t *testing.T, rules string) {
	onEngines(t, rules, func(t *testing.T, k *kit) {
		tell := func(id, player, winner string) func() {
			return func() {
				_, err := k.Report(ctx, id, duel.Result{Player: player, Winner: winner})
				require.NoError(t, err)
			}
		}
		arrange := func(id string) func() { return func() { k.ready(t, id, "a", "b") } }
		var open duel.Duel
		for i := range 16 { // so that no row meets a trimming, nor a script that Redis does not know
			k.ready(t, k.newID(), "a", "b")
			if i == 0 {
				tell("id1", "", "a")()
				d, err := k.Challenge(ctx, "a", "", "")
				require.NoError(t, err)
				_, err = k.Accept(ctx, d.ID, "b")
				require.NoError(t, err)
				_, _, err = k.Queue().Join(ctx, "x", "")
				require.NoError(t, err)
				_, _, err = k.Queue().Join(ctx, "y", "")
				require.NoError(t, err)
			}
		}
		for _, row := range []struct {
			name                 string
			do                   func()
			commands, roundTrips int64
		}{
			{"a ready duel", arrange("m1"), 9, 1},
			{"the same again", arrange("m1"), 2, 1},
			{"a server's result", tell("m1", "", "a"), 7, 1},
			{"the same again, told", tell("m1", "", "a"), 2, 1},
			{"a ready duel for players", arrange("m2"), 9, 1},
			{"the first player's word", tell("m2", "a", "b"), 3, 1},
			{"the second player's word, which decides", tell("m2", "b", "b"), 7, 1},
			{"a challenge", func() {
				var err error
				open, err = k.Challenge(ctx, "a", "", "")
				require.NoError(t, err)
			}, 7, 1},
			{"accepting", func() {
				_, err := k.Accept(ctx, open.ID, "b")
				require.NoError(t, err)
			}, 1 + 7, 2},
			{"a challenge to somebody", func() {
				_, err := k.Challenge(ctx, "a", "b", "")
				require.NoError(t, err)
			}, 8, 1},
			{"reading", func() {
				_, err := k.Duel(ctx, "m1")
				require.NoError(t, err)
			}, 1, 1},
			{"waiting in the queue", func() {
				_, _, err := k.Queue().Join(ctx, "q", "")
				require.NoError(t, err)
			}, 9, 1},
			{"still waiting", func() {
				_, _, err := k.Queue().Join(ctx, "q", "")
				require.NoError(t, err)
			}, 1, 1},
			{"still waiting, and seen again", func() {
				k.clock.Pass(k.rules.Queue.Away / 2)
				_, _, err := k.Queue().Join(ctx, "q", "")
				require.NoError(t, err)
			}, 2, 1},
			{"an opponent in the queue", func() {
				d, _, err := k.Queue().Join(ctx, "r", "")
				require.NoError(t, err)
				require.Equal(t, duel.Ready, d.State)
			}, 9 + 14, 2},
			{"a server's result after the duel's time", func() {
				k.ready(t, "late", "a", "b")
				k.clock.Pass(k.rules.Timeout + time.Second)
				_, err := k.Duel(ctx, "late")
				require.NoError(t, err)
				tell("late", "", "a")()
			}, 9 + 1 + 3 + 8, 4},
			{"leaving", func() { require.NoError(t, k.Queue().Leave(ctx, "q", "")) }, 2, 1},
		} {
			t.Run(row.name, func(t *testing.T) {
				before := k.redis.Ran()
				commands, roundTrips := k.redis.Spent(row.do)
				require.Equal(t, k.redis.Ran()-before, commands, "the meter and Redis itself disagree")
				require.Equal(t, row.commands, commands, "billed commands")
				require.Equal(t, row.roundTrips, roundTrips, "round trips")
			})
		}
	})
}

func TestHandingDuelsOverStaysWithinItsBudget(t *testing.T) {
	onEngines(t, "duels: {xp: 1, points: {win: 1}}", func(t *testing.T, k *kit) {
		play := func(duels int) {
			for range duels {
				id := k.ready(t, k.newID(), "a", "b").ID
				_, err := k.Report(ctx, id, duel.Result{Winner: "a"})
				require.NoError(t, err)
			}
		}
		keep := func() {
			_, err := k.Keeper().Keep(ctx)
			require.NoError(t, err)
		}
		play(1)
		keep()
		for _, row := range []struct {
			name                 string
			decided, open        int
			commands, roundTrips int64
		}{
			{"nothing", 0, 0, 1, 1},
			{"twenty that are decided", 20, 0, 1 + 20 + 5 + 1, 4},
			{"and three that are not", 0, 3, 1 + 3 + 1, 3},
		} {
			t.Run(row.name, func(t *testing.T) {
				play(row.decided)
				for range row.open {
					k.ready(t, k.newID(), "a", "b")
				}
				before := k.redis.Ran()
				commands, roundTrips := k.redis.Spent(keep)
				require.Equal(t, k.redis.Ran()-before, commands, "the meter and Redis itself disagree")
				require.Equal(t, row.commands, commands, "billed commands")
				require.Equal(t, row.roundTrips, roundTrips, "round trips")
			})
		}
	})
}
