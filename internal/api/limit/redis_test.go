package limit_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

func TestACheckCostsAtMostTwoCommands(t *testing.T) {
	onEngines(t, func(t *testing.T, r *redis) {
		limits := submits(game.CallerLimits{Player: aMinute(20)})
		one, two := r.process(limits), r.process(limits)
		var costs []int64
		for range 25 {
			commands, roundTrips := r.Spent(func() { take(t, one, player("a")) })
			require.LessOrEqual(t, roundTrips, int64(1))
			costs = append(costs, commands)
		}
		require.Equal(t, []int64{0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, costs)
		commands, _ := r.Spent(func() { require.Equal(t, 5, passed(t, two, player("a"), 100)) })
		require.EqualValues(t, 2, commands)
	})
}

func TestEveryKeyHasItsExpiryFromTheStart(t *testing.T) {
	onEngines(t, func(t *testing.T, r *redis) {
		limits := submits(game.CallerLimits{Player: aMinute(8), Every: time.Second})
		one, two := r.process(limits), r.process(limits)
		for range 60 {
			take(t, one, player("a"))
			take(t, two, player("a"))
			r.clock.Pass(2 * time.Second)
		}
		keys := r.keys()
		require.NotEmpty(t, keys)
		for _, key := range keys {
			require.True(t, strings.HasPrefix(key, "limit:{submit-"), key)
			left, err := r.Server.Redis().Do(context.Background(), "PTTL", key)
			require.NoError(t, err)
			require.Positive(t, left, key)
			require.LessOrEqual(t, left, (72 * time.Second).Milliseconds(), key)
		}
	})
}

func TestEveryKeyHasItsExpiryAfterALossToo(t *testing.T) {
	onEngines(t, func(t *testing.T, r *redis) {
		one := r.process(submits(game.CallerLimits{Player: aMinute(20)}))
		passed(t, one, player("a"), 6)
		require.NotEmpty(t, r.keys())
		_, err := r.Server.Redis().Do(context.Background(), "FLUSHALL")
		require.NoError(t, err)
		passed(t, one, player("a"), 6)
		keys := r.keys()
		require.NotEmpty(t, keys)
		for _, key := range keys {
			left, err := r.Server.Redis().Do(context.Background(), "PTTL", key)
			require.NoError(t, err)
			require.Positive(t, left, key)
		}
	})
}

func TestAPauseCostsOneCommandAndSurvivesALostAnswer(t *testing.T) {
	onEngines(t, func(t *testing.T, r *redis) {
		limits := submits(game.CallerLimits{Every: time.Minute})
		one, two := r.process(limits), r.process(limits)
		first := true
		r.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
			defer func() { first = false }()
			return upstashtest.Fault{CutAfter: first}
		})
		require.True(t, take(t, one, player("a")).Allowed, "the pause is the caller's own")
		r.Server.Inject(nil)
		commands, _ := r.Spent(func() {
			d := take(t, two, player("a"))
			require.False(t, d.Allowed)
			require.Equal(t, time.Minute, d.Wait)
			passed(t, one, player("a"), 10)
			passed(t, two, player("a"), 10)
		})
		require.EqualValues(t, 1, commands)
	})
}

func TestRedisThatIsDownIsNoReasonToRefuse(t *testing.T) {
	r := newRedis(t, "")
	open := r.process(submits(game.CallerLimits{Player: aMinute(20)}))
	r.Server.Inject(func(upstashtest.Request) upstashtest.Fault { return upstashtest.Fault{CutBefore: true} })
	require.Equal(t, 20, passed(t, open, player("a"), 30))
	r.Server.Inject(nil)
	require.False(t, take(t, open, player("a")).Allowed)
}
