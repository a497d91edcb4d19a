package lifecycle_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// The XP of a week is that of its closed days, and of the open ones as their boards are. If
// the boards exceed the bound of one command, no command blocks Redis for long.
func TestTheXPOfAWeekIsThatOfItsDays(t *testing.T) {
	for _, players := range []int{900, 40_000} {
		t.Run(fmt.Sprint(players, " players a day"), func(t *testing.T) {
			overREST(t, func(t *testing.T, k *kit) {
				ctx := context.Background()
				p := k.process()
				week := game.Week.Of(k.today()) // a Wednesday
				want := map[string]int64{}
				for back := 2; back >= 1; back-- {
					day := []string{"ZADD", game.XPDayKey(k.today().AddDays(-back))}
					for i := range players {
						id, gained := fmt.Sprintf("p%05d", i+back*players/3), int64(i%700+back)
						day = append(day, fmt.Sprint(gained), id)
						want[id] += gained
					}
					k.redis.Do(day...)
				}
				k.redis.Do("HSET", game.ClosedKey, game.XPMode, k.today().AddDays(-1).String())
				_, err := p.Boards.Submit(ctx, k.play("first", "p00001", 500))
				require.NoError(t, err)
				want["p00001"] += int64(k.mode("first").XPOf(500))
				k.server.Inject(func(r upstashtest.Request) (none upstashtest.Fault) {
					for _, command := range r.Commands {
						require.False(t, players > 33_000 && command[0] == "ZUNIONSTORE", "Redis would be held up")
					}
					return none
				})
				ends := k.game.Ends(week)
				n, err := p.XP.DeriveWeek(ctx, week, "xp of the week", ends)
				require.NoError(t, err)
				k.server.Inject(nil)
				got, err := p.DB.ReadBoard(ctx, "xp of the week")
				require.NoError(t, err)
				require.Len(t, got, len(want))
				require.EqualValues(t, len(want), n)
				for id, xp := range want {
					require.EqualValues(t, xp, got[id], id)
				}
				require.LessOrEqual(t, k.redis.Do("TTL", "xp of the week").(int64), int64(ends.Sub(k.clock.Now())/time.Second)+1)
				require.Positive(t, k.redis.Do("TTL", "xp of the week"))
			})
		})
	}
}
