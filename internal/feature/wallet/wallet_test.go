package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/api/idempotency"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/wallet"
	"github.com/framedle/leaderboards/internal/game"
)

func TestPlaysEarnAtOnceAndOnceMoreByClosing(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		redis, clock, ctx := testkit.NewRedis(t, address), testkit.Still(noon), t.Context()
		one, two := newProcess(typing(t), redis.Client, clock), newProcess(typing(t), redis.Connect(), clock)
		today := game.DateOf(noon)
		for range 3 {
			play(t, redis, "short", today, "user_a")
		}
		play(t, redis, "long", today, "user_a")
		play(t, redis, "daily", today, "user_a")
		play(t, redis, "daily", today, "user_a")
		want := []wallet.Balance{{Currency: "coins", Earned: 28}, {Currency: "gems", Earned: 1}}
		for _, p := range []process{one, two} {
			got, err := p.Of(ctx, "user_a")
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		clock.Pass(13 * time.Hour)
		play(t, redis, "short", today.AddDays(1), "user_a")
		want[0].Earned++
		for range 3 { // twice, and late
			taken, err := one.Close(ctx, today)
			require.NoError(t, err)
			require.Equal(t, map[string]map[string]int64{"coins": {"user_a": 28}, "gems": {"user_a": 1}}, taken)
			got, err := two.Of(ctx, "user_a")
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		require.NoError(t, one.Through(ctx, today))
		got, err := two.Of(ctx, "user_a")
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, wallet.Balance{Currency: "coins"}, has(t, two.Wallets, "user_b"))
	})
}

func TestASpendHappensOnceAndNeverBelowZero(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		redis, clock, ctx := testkit.NewRedis(t, address), testkit.Still(noon), t.Context()
		one, two := newProcess(typing(t), redis.Client, clock), newProcess(typing(t), redis.Connect(), clock)
		for range 12 {
			play(t, redis, "short", game.DateOf(noon), "user_a")
		}
		done, after, replayed, err := one.Spend(ctx, wish("user_a", 5, "k1"))
		require.NoError(t, err)
		require.False(t, replayed)
		require.EqualValues(t, 7, after.Left())
		require.Equal(t, noon, done.At)
		clock.Pass(time.Minute)
		play(t, redis, "short", game.DateOf(noon), "user_a")

		again, same, replayed, err := two.Spend(ctx, wish("user_a", 5, "k1"))
		require.NoError(t, err)
		require.True(t, replayed)
		require.Equal(t, done, again)
		require.Equal(t, after, same, "as it was answered")
		_, _, _, err = two.Spend(ctx, wish("user_a", 6, "k1"))
		require.ErrorIs(t, err, idempotency.ErrReused)

		var short *wallet.ShortError
		_, _, _, err = two.Spend(ctx, wish("user_a", 9, "k2"))
		require.ErrorAs(t, err, &short)
		require.EqualValues(t, 8, short.Left())
		_, after, _, err = two.Spend(ctx, wish("user_a", 8, "k2"))
		require.NoError(t, err, "what was refused left no record")
		require.EqualValues(t, 0, after.Left())
		require.Equal(t, wallet.Balance{Currency: "coins", Earned: 13, Spent: 13}, has(t, one.Wallets, "user_a"))

		all, entries, err := one.Spends(ctx)
		require.NoError(t, err)
		require.Len(t, all, 2)
		require.Equal(t, done, all[0])
		require.NoError(t, two.Drop(ctx, entries))
		all, _, err = one.Spends(ctx)
		require.NoError(t, err)
		require.Empty(t, all)
	})
}

func TestThirtyTwoWritersSpendExactlyWhatThereIs(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		redis, clock, ctx := testkit.NewRedis(t, address), testkit.Still(noon), t.Context()
		processes := []process{newProcess(typing(t), redis.Client, clock), newProcess(typing(t), redis.Connect(), clock)}
		for range 100 {
			play(t, redis, "short", game.DateOf(noon), "user_a")
		}
		var spent, refused atomic.Int64
		var all sync.WaitGroup
		for writer := range 32 {
			all.Go(func() {
				for n := range 8 {
					amount := int64(1 + (writer+n)%3)
					for range 2 { // each asks twice
						_, _, replayed, err := processes[(writer+n)%2].Spend(ctx, wish("user_a", amount, fmt.Sprintf("k%d-%d", writer, n)))
						var short *wallet.ShortError
						switch {
						case errors.As(err, &short):
							refused.Add(1)
						case err != nil:
							t.Error(err)
						case !replayed:
							spent.Add(amount)
						}
					}
				}
			})
		}
		all.Wait()
		got := has(t, processes[0].Wallets, "user_a")
		require.Equal(t, spent.Load(), got.Spent)
		require.EqualValues(t, 100, got.Earned)
		require.GreaterOrEqual(t, got.Earned, got.Spent)
		require.Less(t, got.Left(), int64(3), "nobody was refused while there was enough for anybody")
		require.NotZero(t, refused.Load())
		list, _, err := processes[0].Spends(ctx)
		require.NoError(t, err)
		sum := int64(0)
		for _, s := range list {
			sum += s.Amount
		}
		require.Equal(t, got.Spent, sum)
	})
}

func TestWhatWasSpentIsOwedWhenAScoreIsTakenOut(t *testing.T) {
	redis, clock, ctx := testkit.NewRedis(t, ""), testkit.Still(noon), t.Context()
	p, today := newProcess(typing(t), redis.Client, clock), game.DateOf(noon)
	for range 4 {
		play(t, redis, "long", today, "user_a")
	}
	_, _, _, err := p.Spend(ctx, wish("user_a", 15, "k"))
	require.NoError(t, err)
	first, last := game.PlaysOf("user_a")
	do(t, redis, "ZREMRANGEBYLEX", game.PlaysKey("long", today), first, last)
	b := has(t, p.Wallets, "user_a")
	require.Equal(t, []int64{0, 15, 0}, []int64{b.Earned, b.Spent, b.Left()})
	for range 3 {
		play(t, redis, "long", today, "user_a")
	}
	_, _, _, err = p.Spend(ctx, wish("user_a", 1, "l"))
	var short *wallet.ShortError
	require.ErrorAs(t, err, &short)
	play(t, redis, "short", today, "user_a")
	_, _, _, err = p.Spend(ctx, wish("user_a", 1, "l"))
	require.NoError(t, err)
}

func TestAPlayerIsForgottenWhole(t *testing.T) {
	redis, clock, ctx := testkit.NewRedis(t, ""), testkit.Still(noon), t.Context()
	p, today := newProcess(typing(t), redis.Client, clock), game.DateOf(noon)
	for _, player := range []string{"user_a", "user_b"} {
		for d := range 3 {
			play(t, redis, "long", today.AddDays(-d), player)
			_, err := p.Close(ctx, today.AddDays(-d))
			require.NoError(t, err)
		}
		_, _, _, err := p.Spend(ctx, wish(player, 15, "k"+player))
		require.NoError(t, err)
	}
	require.NoError(t, p.Erase(ctx, "user_a"))
	require.Equal(t, wallet.Balance{Currency: "coins"}, has(t, p.Wallets, "user_a"))
	require.Equal(t, wallet.Balance{Currency: "coins", Earned: 15, Spent: 15}, has(t, p.Wallets, "user_b"))
	for d := range 3 {
		_, err := p.Close(ctx, today.AddDays(-d))
		require.NoError(t, err)
	}
	require.Equal(t, wallet.Balance{Currency: "coins"}, has(t, p.Wallets, "user_a"), "closing again finds nothing")
}

func TestAClosingOfManyPlayersTakesEachIn(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		redis, clock, ctx := testkit.NewRedis(t, address), testkit.Still(noon), t.Context()
		p, today := newProcess(typing(t), redis.Client, clock), game.DateOf(noon)
		const players = 8000
		words := []string{"ZADD", game.PlaysKey("long", today)}
		for i := range players {
			for n := range 1 + i%9 {
				words = append(words, "0", game.PlayOf(fmt.Sprintf("user_%d", i), fmt.Sprint(n)))
			}
		}
		do(t, redis, words...)
		commands, _ := redis.Spent(func() {
			taken, err := p.Close(ctx, today)
			require.NoError(t, err)
			require.Len(t, taken["coins"], players)
			require.EqualValues(t, 5, taken["coins"]["user_0"])
			require.EqualValues(t, 45, taken["coins"]["user_8"])
		})
		require.LessOrEqual(t, commands, int64(45))
	})
}

func TestWhatAWalletCosts(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		redis, clock, ctx := testkit.NewRedis(t, address), testkit.Still(noon), context.Background()
		p, today := newProcess(typing(t), redis.Client, clock), game.DateOf(noon)
		require.NoError(t, p.Through(ctx, today.AddDays(-1)))
		for range 9 {
			play(t, redis, "long", today, "user_a")
		}
		has(t, p.Wallets, "user_a") // the process knows which days are open, and Redis the scripts
		_, _, _, err := p.Spend(ctx, wish("user_b", 1, "j"))
		require.Error(t, err)
		for _, one := range []struct {
			what     string
			commands int64
			do       func()
		}{
			{"read: coins 4, 1 for the day and 3 modes; gems 4, 1 and 1", 14, func() { has(t, p.Wallets, "user_a") }},
			{"spend", 12, func() { _, _, _, err := p.Spend(ctx, wish("user_a", 1, "k")); require.NoError(t, err) }},
			{"again", 2, func() { _, _, _, err := p.Spend(ctx, wish("user_a", 1, "k")); require.NoError(t, err) }},
			{"too little", 9, func() { _, _, _, err := p.Spend(ctx, wish("user_a", 1000, "l")); require.Error(t, err) }},
		} {
			before := redis.Ran()
			commands, trips := redis.Spent(one.do)
			require.Equal(t, []int64{one.commands, 1}, []int64{commands, trips}, one.what)
			require.Equal(t, one.commands, redis.Ran()-before, one.what+", as Redis itself counts")
		}
	})
}
