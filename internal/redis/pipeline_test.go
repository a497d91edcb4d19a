package redis_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// A command that goes aside may fail without failing the others.
func TestWhatGoesAlongMayFail(t *testing.T) {
	testkit.OnEngines(t, func(t *testing.T, address string) {
		store := testkit.NewRedis(t, address)
		run := func(atomic bool, aside upstash.Command) (n int64, answers []upstash.Reply) {
			p := redis.Pipeline{Atomic: atomic}
			p.Aside(aside, func(r upstash.Reply) { answers = append(answers, r) })
			p.Add(upstash.Cmd("INCR", "n"), redis.IntInto(&n))
			_, err := p.Run(t.Context(), store.Client)
			require.NoError(t, err)
			return n, answers
		}
		n, answers := run(false, upstash.Cmd("ZADD", "n", "1", "a"))
		require.Equal(t, int64(1), n)
		require.Len(t, answers, 1)
		require.Error(t, answers[0].Err())
		n, answers = run(false, upstash.Cmd("PUBLISH", "c", "m"))
		require.Equal(t, int64(2), n)
		heard, err := answers[0].Int64()
		require.NoError(t, err)
		require.Zero(t, heard)
		n, answers = run(true, upstash.Cmd("PUBLISH", "c", "m"))
		require.Equal(t, int64(3), n)
		require.Empty(t, answers, "a transaction goes without")
	})
}
