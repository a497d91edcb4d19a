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

// Where nobody else looks, a week is made without its lock: a card of it costs the
// union and two ranks.
func TestAQuietWeekIsMadeWithoutItsLock(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := context.Background()
		monday := game.Week.Of(game.DateOf(noon)).First().Midnight().Add(12 * time.Hour)
		k.clock.Set(monday)
		k.elapsed = func() time.Duration { return k.clock.Now().Sub(monday) }
		p := k.process()
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
			_, commands = card(at + 50*time.Second)
			require.Greater(t, commands, int64(4), "others may be looking: the lock is asked for")
		}
	})
}

// However many look in one process, it makes a quiet week once in half a minute.
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
			all = append(all, k.process())
		}
		look(1)
		for round := range 3 {
			k.clock.Set(noon.Add(time.Duration(round+1) * time.Minute))
			before := unions()
			look(1)
			look(4)
			made := unions() - before
			require.LessOrEqual(t, made, int64(len(all)), fmt.Sprint("round ", round))
			require.Positive(t, made)
		}
	})
}

// A week of all players has no expiry until its last day, since it is made anew until
// then, and has one from then on; a group's always has.
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
