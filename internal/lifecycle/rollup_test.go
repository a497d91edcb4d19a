package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/redis"
)

func TestRunsOfTheScheduleAtOnceTakeEachDayInOnce(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		const players, days = 1100, 3 // more than one page of a copy
		for day := range days {
			k.clock.Set(noon.AddDate(0, 0, day))
			var subs []game.Submission
			for i := range players {
				subs = append(subs, k.play("first", fmt.Sprintf("p%d", i), game.Score(day+i%3)))
			}
			for _, o := range k.process().Boards.SubmitBatch(ctx, subs) {
				require.NoError(t, o.Err)
			}
		}
		k.clock.Set(noon.AddDate(0, 0, days-1).AddDate(0, 0, 7))
		var wait sync.WaitGroup
		reports := make([]derive.RolledUp, 8)
		errs := make([]error, len(reports))
		for i := range reports {
			wait.Go(func() {
				for {
					report, err := runDaily(ctx, k.process(), nil)
					reports[i].Boards, reports[i].Expired = append(reports[i].Boards, report.Boards...), append(reports[i].Expired, report.Expired...)
					if !errors.Is(err, redis.ErrVanished) { // others were quicker each time; the next run goes on
						errs[i] = err
						return
					}
				}
			})
		}
		wait.Wait()
		rolledUp := 0
		for i, report := range reports {
			require.NoError(t, errs[i])
			require.Empty(t, report.Expired)
			rolledUp += len(report.Boards)
		}
		require.Equal(t, 2*days, rolledUp, "each day, and the XP of each, is folded by exactly one run: %v", reports)
		p := k.process()
		for name, period := range map[string]game.Period{
			"first": game.AllTime.Of(game.DateOf(noon)), game.XPMode: game.AllTime.Of(game.DateOf(noon)),
		} {
			m, _ := p.DB.Game.ModeNamed(name)
			for _, e := range wholeBoard(t, p, game.BoardOf(m, period, game.Scope{}), 200) {
				var i int
				_, err := fmt.Sscanf(e.Player, "p%d", &i)
				require.NoError(t, err)
				want := game.Score(0)
				for day := range days {
					score := game.Score(day + i%3)
					if name == game.XPMode {
						score = score * 3 / 2
					}
					want += score
				}
				require.Equal(t, want, e.Score, "%s %s", name, e.Player)
			}
		}
		left, err := k.server.Redis().Do(ctx, "KEYS", "scratch:*")
		require.NoError(t, err)
		if len(left.([]any)) > 0 {
			ttl, err := k.server.Redis().Do(ctx, "TTL", left.([]any)[0].(string))
			require.NoError(t, err)
			require.Positive(t, ttl, "what a run that came second left behind goes by itself")
		}
	})
}

// However many look at once, through however many processes, a derived board is made once in
// an interval.
func TestOneRefreshPerInterval(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		_, err := k.process().Boards.Submit(ctx, k.play("first", "p1", 5))
		require.NoError(t, err)
		unions := func() int64 {
			stats, err := k.server.Redis().CommandStats(ctx)
			require.NoError(t, err)
			return stats["zunionstore"]
		}
		for interval := range 3 {
			k.clock.Set(noon.Add(time.Duration(interval+1) * time.Minute))
			before := unions()
			var wait sync.WaitGroup
			for range 6 {
				p := k.process()
				for range 4 {
					wait.Go(func() {
						_, err := p.Boards.Page(ctx, weekBoard(k, p, "first"), game.PageRequest{Limit: 10})
						require.NoError(t, err)
					})
				}
			}
			wait.Wait()
			require.EqualValues(t, 1, unions()-before)
		}
	})
}

func TestABoardWhoseDaysHaveGoneIsLeftAsItIs(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		for day := range 2 {
			k.clock.Set(noon.AddDate(0, 0, day))
			_, err := k.process().Boards.Submit(ctx, k.play("first", "p1", 5))
			require.NoError(t, err)
		}
		p := k.process()
		week := weekBoard(k, p, "first")
		require.Equal(t, game.Score(10), wholeBoard(t, p, week, 10)[0].Score)
		require.NoError(t, p.Rollup.Calendar.ListDays(ctx))
		_, err := k.server.Redis().Do(ctx, "DEL", game.DayBoardKey("first", game.DateOf(noon)))
		require.NoError(t, err)
		k.clock.Set(noon.AddDate(0, 0, 12))
		for range 2 {
			p = k.process()
			require.Equal(t, game.Score(10), wholeBoard(t, p, week, 10)[0].Score)
			_, err = p.Rollup.RefreshPeriod(ctx, week.Period)
			require.NoError(t, err)
		}
	})
}

// A day waits in Redis until it is rolled up, however long no schedule runs: then it is in all
// time, also of its group, and leaves by itself. In time, its keys leave when its life is over.
func TestWhatIsLeftOfADayExpiresOnceItIsRolledUp(t *testing.T) {
	for name, after := range map[string]int{"in time": 7, "late": 14} {
		onEngines(t, func(t *testing.T, k *kit) {
			ctx := t.Context()
			group, err := game.GroupScope("g1")
			require.NoError(t, err)
			sub := k.play("first", "p1", 5)
			sub.Scopes, sub.Details = []game.Scope{group}, []byte(`{"a":1}`)
			_, err = k.process().Boards.Submit(ctx, sub)
			require.NoError(t, err)
			day := game.DateOf(noon)
			keys := []string{game.DayBoardKey("first", day), game.BoardKey("first", game.Day.Of(day), group), game.DetailsKey("first", day)}
			for _, key := range keys {
				require.EqualValues(t, -1, k.redis.Do("TTL", key), "%s waits until it is rolled up", key)
			}
			k.clock.Set(noon.AddDate(0, 0, after))
			p := k.process()
			report, err := runDaily(ctx, p, nil)
			require.NoError(t, err)
			require.Empty(t, report.Expired, name)
			require.Contains(t, report.Boards, keys[0])
			require.Contains(t, report.Boards, keys[1])
			m, _ := k.game.ModeNamed("first")
			for _, scope := range []game.Scope{{}, group} {
				entries := wholeBoard(t, k.process(), game.BoardOf(m, game.AllTime.Of(day), scope), 10)
				require.Len(t, entries, 1, name)
				require.Equal(t, game.Score(5), entries[0].Score)
			}
			end, _ := k.game.Expires(game.Day.Of(day))
			for _, key := range keys {
				left := time.Duration(k.redis.Do("TTL", key).(int64)) * time.Second
				require.Positive(t, left, "%s, %s", name, key)
				require.LessOrEqual(t, left, max(end.Sub(k.clock.Now()), 24*time.Hour)+time.Second, "%s, %s", name, key)
			}
		})
	}
}
