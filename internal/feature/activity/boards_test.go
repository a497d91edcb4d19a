package activity_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/activity"
	"github.com/framedle/leaderboards/internal/game"
)

// A thousand events arrive in two full batches, and all boards that they count for are
// computed.
func TestAThousandEventsCostTwentyCommands(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.campus()
		k.ageless()
		p := k.process()
		at := noon.Add(8 * time.Hour)
		batch := func(n int) (events []activity.Event) {
			for i := range activity.MostEvents {
				events = append(events, message(fmt.Sprintf("%d-%d", n, i), at, fmt.Sprint("u", i%300), fmt.Sprint("u", (i+1+i/300)%300)))
			}
			return events
		}
		k.clock.Set(at.Add(time.Minute))
		k.take(p, batch(0)...)
		k.compute(p)
		before := k.redis.Ran()
		commands, trips := p.spent(func() {
			k.take(p, batch(1)...)
			k.take(p, batch(2)...)
			k.compute(p)
		})
		require.Equal(t, k.redis.Ran()-before, commands, "the meter and Redis itself disagree")
		require.LessOrEqual(t, commands, int64(20))
		t.Log(commands, "commands in", trips, "round trips")

		var all []activity.Event // of all kinds, so that every board changes
		for i := range 2 * activity.MostEvents {
			e := message(fmt.Sprint("all", i), at, fmt.Sprint("u", i%300), fmt.Sprint("u", (i+7+i/300)%300))
			if i%2 == 0 {
				e.Type, e.From, e.To, e.Users = "activities.ended", "", "", []string{e.From, e.To}
			}
			all = append(all, e)
		}
		commands, _ = p.spent(func() {
			k.take(p, all[:activity.MostEvents]...)
			k.take(p, all[activity.MostEvents:]...)
			require.Equal(t, 8, k.compute(p)[0].Boards)
		})
		require.LessOrEqual(t, commands, int64(20), "where all eight boards change")
		t.Log(commands, "commands where all eight boards change")

		fresh := newKit(t, "").campus()
		fresh.ageless()
		q := fresh.process()
		fresh.clock.Set(at.Add(time.Minute))
		commands, _ = q.spent(func() {
			fresh.take(q, batch(1)...)
			fresh.take(q, batch(2)...)
			fresh.compute(q)
		})
		t.Log(commands, "commands from nothing")
	})
}

// The next compute writes a board that a ban has removed a player from, even if nothing else
// on it changes.
func TestWhoIsUnbannedComesBackOntoEveryBoard(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.campus()
		p := k.process()
		k.clock.Set(noon.Add(8 * time.Hour))
		at, d := k.clock.Now(), game.DateOf(noon)
		k.take(p, message("1", at, "a", "b"), message("2", at, "b", "c"))
		k.compute(p)
		require.NoError(t, p.Notices.Ban(t.Context(), "b"))
		_, err := p.Repair.RemoveRecent(t.Context(), "b", nil)
		require.NoError(t, err)
		require.Equal(t, " a 0.3 c 1", k.points(p, "overall", d, group(t, "irvine")))
		require.NoError(t, p.Notices.Unban(t.Context(), "b"))
		k.take(p, message("3", at, "a", "c"))
		k.compute(p)
		for mode, points := range map[string]string{"engagement": " a 0 b 0 c 0", "popularity": " a 0 b 1 c 2", "overall": " a 0.6 b 1.3 c 2"} {
			require.Equal(t, points, k.points(p, mode, d, game.Scope{}), mode)
			require.Equal(t, points, k.points(p, mode, d, group(t, "irvine")), mode)
		}
	})
}

// A group whose only player turns out to belong to another group has no board. The next player
// of the group is the first on it, and the board expires with its day.
func TestABoardThatWasEmptiedEndsWithItsDay(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.campus()
		p := k.process()
		k.clock.Set(noon.Add(8 * time.Hour))
		at, d := k.clock.Now(), game.DateOf(noon)
		heartbeat := func(group, user string, at time.Time) activity.Event {
			return activity.Event{ID: "h" + group + user, Type: "presence.heartbeat", At: at, Group: group, User: user}
		}
		board := game.BoardKey(k.mode("overall").Name, game.Day.Of(d), group(t, "irvine"))
		k.take(p, heartbeat("irvine", "a", at))
		k.compute(p)
		k.take(p, heartbeat("lisbon", "a", at.Add(-time.Minute)))
		k.compute(p)
		require.Empty(t, k.points(p, "overall", d, group(t, "irvine")))
		k.take(p, heartbeat("irvine", "b", at))
		k.compute(p)
		require.Equal(t, " b 0", k.points(p, "overall", d, group(t, "irvine")))
		left, ok := k.redis.Do("TTL", board).(int64)
		require.True(t, ok)
		require.Positive(t, left)
	})
}

// Streaks are read page by page, and only those of players whose date is the group's.
func TestLongStreaksOfAnyNumberAreFound(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		k.campus()
		p, d := k.process(), game.DateOf(noon)
		active, homes, want := []string{"ZADD", activity.ActiveKey(d)}, []string{"HSET", game.HomesKey(d)}, map[string]int64{}
		for i := range int64(20_003) {
			player, streak, group := fmt.Sprint("p", i), 28+i%5, []string{"irvine", "lisbon"}[i%2]
			active = append(active, fmt.Sprint(streak), player)
			homes = append(homes, player, fmt.Sprint(i, " ", group))
			if streak >= 30 && group == "irvine" {
				want[player] = streak
			}
		}
		k.redis.Do(active...)
		k.redis.Do(homes...)
		got, err := p.activity.LongStreaks(t.Context(), "irvine", d, 30)
		require.NoError(t, err)
		require.Equal(t, want, got)
		none, err := p.activity.LongStreaks(t.Context(), "irvine", d, 33)
		require.NoError(t, err)
		require.Empty(t, none)
	})
}
