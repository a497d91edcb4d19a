package derive_test

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/derive"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// A function that is ended with a request loses what it remembers, and answers nothing. So a
// week that takes too long is left as it stands, which is reported, and is not begun again at
// once.
func TestABoardThatTakesTooLongIsLeftAsItStands(t *testing.T) {
	redis := testkit.NewRedis(t, "")
	ru := uniter(t, redis)
	var answer []string
	ru.Unfinished = func(b game.Board) { answer = append(answer, b.Key) }
	m := testkit.Mode(t, ru.DB().Game, "sum")
	_, want := fillDays(redis, m, []int{9000, 9000, 9000, 9000, 9000, 9000, 9000}, 10_000, rand.New(rand.NewPCG(7, 8)))
	b := game.BoardOf(m, game.Week.Of(game.NewDate(2026, time.November, 22)), game.Scope{})
	ru.Totals().Set(b.Key, derive.UnionBound) // it was large
	var slow atomic.Bool
	slow.Store(true)
	redis.Server.Inject(func(r upstashtest.Request) (f upstashtest.Fault) {
		if word := r.Commands[0][0]; slow.Load() && (word == "ZSCAN" || word == "EVALSHA") {
			f.Delay = 400 * time.Millisecond
		}
		return f
	})
	request := func() (context.Context, context.CancelFunc) {
		return context.WithTimeout(t.Context(), derive.Partly+300*time.Millisecond)
	}

	ctx, done := request()
	require.ErrorIs(t, ru.Refresh(ctx, b), derive.ErrUnfinished, "there is none yet")
	require.NoError(t, ctx.Err(), "there is time to say so")
	done()
	require.Equal(t, []string{b.Key}, answer)

	redis.Do("ZADD", b.Key, "5", "p")
	ru.ForgetDerived()
	redis.Do("DEL", game.RefreshKey(b.Key, uniteNoon.UnixNano()/int64(ru.Every(b))))
	ctx, done = request()
	require.NoError(t, ru.Refresh(ctx, b))
	require.NoError(t, ctx.Err())
	done()
	require.EqualValues(t, 1, redis.Do("ZCARD", b.Key))
	require.Len(t, answer, 2)
	require.NoError(t, ru.Refresh(t.Context(), b), "nor is it begun again")
	require.Len(t, answer, 2)

	slow.Store(false)
	ru.ForgetDerived()
	redis.Do("DEL", game.RefreshKey(b.Key, uniteNoon.UnixNano()/int64(ru.Every(b))))
	require.NoError(t, ru.Refresh(t.Context(), b), "a schedule has the time")
	got, err := ru.DB().ReadBoard(t.Context(), b.Key)
	require.NoError(t, err)
	require.Equal(t, want, got)
}
