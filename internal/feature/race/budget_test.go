package race_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/race"
	"github.com/framedle/leaderboards/internal/game"
)

// Each row fails when its operation spends one command or round trip more than it
// says, or when the meter and Redis itself disagree.
func TestRacesStayWithinTheirBudgets(t *testing.T) {
	onEngines(t, "races: {players: 3}", func(t *testing.T, k *kit) {
		// So that no row meets a script that Redis does not know, nor a trimming.
		for i := range 4 {
			k.started(t, "daily", fmt.Sprint("x", i), fmt.Sprint("y", i), fmt.Sprint("z", i))
			r := k.started(t, "daily", fmt.Sprint("v", i), fmt.Sprint("w", i))
			k.tell(t, r, fmt.Sprint("v", i), 1)
			_, err := k.Leave(ctx, r.ID, fmt.Sprint("w", i))
			require.NoError(t, err)
		}
		_, err := k.Queue(ctx, "u", "golf")
		require.NoError(t, err)
		k.clock.Pass(2 * time.Second)
		_, err = k.Queue(ctx, "u", "golf")
		require.NoError(t, err)
		_, err = k.Queue(ctx, "u2", "golf")
		require.NoError(t, err)
		for range 7 {
			k.started(t, "daily", k.newID(), k.newID())
		}

		var r race.Race
		create := func(player string) func() {
			return func() {
				r, err = k.Create(ctx, race.Wanted{ID: "r" + player, Player: player, Mode: "daily"})
				require.NoError(t, err)
			}
		}
		join := func(player string) func() {
			return func() {
				r, err = k.Join(ctx, r.ID, player)
				require.NoError(t, err)
			}
		}
		see := func(player string) func() {
			return func() {
				r, err = k.See(ctx, r.ID, player)
				require.NoError(t, err)
			}
		}
		tell := func(player string, score game.Score) func() { return func() { r = k.tell(t, r, player, score) } }
		progress := func(player string) func() {
			return func() {
				_, _, err := k.Progress(ctx, r.ID, player, 0.5)
				require.NoError(t, err)
			}
		}
		queue := func(player string) func() {
			return func() {
				r, err = k.Queue(ctx, player, "daily")
				require.NoError(t, err)
			}
		}
		for _, row := range []struct {
			name                 string
			do                   func()
			commands, roundTrips int64
		}{
			{"a race", create("a"), 9, 2},
			{"joining", join("b"), 8, 3},
			{"reading", see("a"), 1, 1},
			{"reading, and being seen to wait", func() { k.clock.Pass(2 * time.Second); see("b")() }, 4, 2},
			{"joining as the last", join("c"), 10, 3},
			{"the first progress", func() { k.clock.Pass(race.Lead); progress("a")() }, 3, 2},
			{"progress", progress("a"), 0, 0},
			{"progress of another", progress("b"), 2, 1},
			{"progress after 5 s", func() { k.clock.Pass(5 * time.Second); progress("a")() }, 2, 1},
			{"a result", tell("a", 5), 3, 1},
			{"the same again", tell("a", 5), 2, 1},
			{"another result", tell("b", 5), 3, 1},
			{"the result that decides", tell("c", 7), 5, 1},
			{"reading what is decided", see("a"), 1, 1},
			{"opening a race of the queue", queue("d"), 14, 2},
			{"asking again", queue("d"), 2, 2},
			{"asking again later", func() { k.clock.Pass(2 * time.Second); queue("d")() }, 2 + 3 + 6, 4},
			{"joining one of the queue", queue("e"), 1 + 6 + 1 + 6, 4},
			{"leaving it", func() { _, err = k.Leave(ctx, r.ID, "e"); require.NoError(t, err) }, 5, 2},
			{"being the last to leave", func() { require.NoError(t, k.LeaveQueue(ctx, "d")) }, 2 + 6, 3},
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
