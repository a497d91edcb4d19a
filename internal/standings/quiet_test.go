package standings_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
)

// If nobody else looks, a stored week is made without taking its lock: a card of it costs the
// union and the rank.
func TestAQuietWeekIsMadeWithoutItsLock(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		monday := game.Week.Of(game.DateOf(noon)).First().Midnight().Add(12 * time.Hour)
		k.clock.Set(monday)
		k.elapsed = func() time.Duration { return k.clock.Now().Sub(monday) }
		p := k.process()
		p.Rollup.UniteUpTo = 0
		week := weekBoard(k, p, "first")
		card := func(at time.Duration) (score game.Score, commands int64) {
			k.clock.Set(monday.Add(at))
			commands, _ = p.spent(func() {
				c, err := p.Boards.Card(ctx, week, "ana")
				require.NoError(t, err)
				score = c.Score
			})
			return score, commands
		}
		other := k.process()
		_, err := other.Boards.Submit(ctx, k.play("first", "ana", 5))
		require.NoError(t, err)
		_, cold := card(0)
		require.Greater(t, cold, int64(4))
		for day := range 3 {
			at := time.Duration(day+1) * 24 * time.Hour
			k.clock.Set(monday.Add(at - 2*time.Hour))
			_, err := other.Boards.Submit(ctx, k.play("first", "ana", 5))
			require.NoError(t, err)
			_, lock := card(at) // too long ago for the board's size to be known
			require.Greater(t, lock, int64(3))
			score, commands := card(at + 31*time.Second)
			require.Equal(t, game.Score(5*(day+2)), score)
			require.EqualValues(t, 3, commands)
			_, commands = card(at + 31*time.Second)
			require.EqualValues(t, 3, commands, "the player's day in the place of the union")
			for again := range 6 { // the lock was free when the process asked for it
				_, commands = card(at + time.Duration(50+6*again)*time.Second)
				require.LessOrEqual(t, commands, int64(3), "the union, and both ranks")
			}
			require.Eventually(t, func() bool {
				at += 6 * time.Second
				_, commands = card(at + 80*time.Second)
				return commands > 3
			}, time.Minute, time.Nanosecond, "others may be looking by now: the lock is asked for")
		}
	})
}

// Many processes look at the same week all the time: at most sixteen of them make it in an
// interval.
func TestWhoHasCompanyTakesTheLock(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		k.elapsed = func() time.Duration { return k.clock.Now().Sub(noon) }
		_, err := k.process().Boards.Submit(ctx, k.play("first", "ana", 5))
		require.NoError(t, err)
		k.clock.Set(noon.Add(5 * time.Minute))
		var all []*process
		const processes, intervals, most = 24, 50, 16
		for range processes {
			p := k.process()
			p.Rollup.UniteUpTo = 0
			all = append(all, p)
		}
		before, err := k.server.Redis().CommandStats(ctx)
		require.NoError(t, err)
		for range intervals {
			for _, p := range all {
				_, err := p.Boards.Card(ctx, weekBoard(k, p, "first"), "ana")
				require.NoError(t, err)
			}
			k.clock.Set(k.clock.Now().Add(k.game.Refresh))
		}
		after, err := k.server.Redis().CommandStats(ctx)
		require.NoError(t, err)
		made := after["zunionstore"] - before["zunionstore"]
		require.GreaterOrEqual(t, made, int64(intervals))
		require.LessOrEqual(t, made, int64(most*intervals+processes))
	})
}

// However many players look through one process, it makes a quiet week once in half a minute,
// and at most fifteen times more if it has found the lock free.
func TestAProcessMakesAQuietWeekOnce(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		k.elapsed = func() time.Duration { return k.clock.Now().Sub(noon) }
		_, err := k.process().Boards.Submit(ctx, k.play("first", "ana", 5))
		require.NoError(t, err)
		unions := func() int64 {
			stats, err := k.server.Redis().CommandStats(ctx)
			require.NoError(t, err)
			return stats["zunionstore"]
		}
		var all []*process
		look := func(players int) {
			var wait sync.WaitGroup
			for _, p := range all {
				for range players {
					wait.Go(func() {
						_, err := p.Boards.Card(ctx, weekBoard(k, p, "first"), "ana")
						require.NoError(t, err)
					})
				}
			}
			wait.Wait()
		}
		for range 3 {
			p := k.process()
			p.Rollup.UniteUpTo = 0
			all = append(all, p)
		}
		look(1)
		for round := range 3 {
			k.clock.Set(noon.Add(time.Duration(round+1) * time.Minute))
			before := unions()
			look(1)
			look(8)
			made := unions() - before
			require.LessOrEqual(t, made, int64(len(all)+15), fmt.Sprint("round ", round))
			require.Positive(t, made)
		}
	})
}

// A week of all players has no expiry until its last day, since it is made again until then,
// and has one from then on. A group's week always has one.
func TestAWeekExpiresFromItsLastDayOn(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		red := group(t, "red")
		monday := game.Week.Of(game.DateOf(noon)).First()
		for day := range 8 {
			date := monday.AddDays(day)
			k.clock.Set(date.Midnight().Add(12 * time.Hour))
			p := k.process()
			if day < 7 {
				sub := k.play("first", "ana", 5)
				sub.Scopes = []game.Scope{red}
				_, err := p.Boards.Submit(ctx, sub)
				require.NoError(t, err)
			}
			for _, scope := range []game.Scope{{}, red} {
				week := game.BoardOf(k.mode("first"), game.Week.Of(monday), scope)
				_, err := p.Boards.Page(ctx, week, game.PageRequest{Limit: 10})
				require.NoError(t, err)
				ttl, err := k.server.Redis().Do(ctx, "TTL", week.Key)
				require.NoError(t, err)
				if day < 6 && scope == (game.Scope{}) {
					require.EqualValues(t, -1, ttl, "day %d", day)
				} else {
					require.Positive(t, ttl, "day %d %s", day, scope)
				}
			}
		}
	})
}
