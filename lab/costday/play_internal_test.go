package costday

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/lab/stage"
	"github.com/framedle/leaderboards/upstash"
)

func TestManyHandsDoEveryEventOnceAndCountIt(t *testing.T) {
	events := plan(200, 1, newRand(1, 0))
	done := make([]atomic.Int32, 200)
	tally, c := NewTally(), &stage.Clock{}
	err := playAll(t.Context(), 100_000, events, func(_ context.Context, e event) error {
		done[e.player].Add(1)
		c.Forward(monday.Midnight().Add(e.at))
		tally.Add(routeSubmit, upstash.Usage{Commands: 2, ByName: map[string]int64{"ZADD": 1, "ZREVRANK": 1}})
		return nil
	})
	require.NoError(t, err)
	total := 0
	for i := range done {
		total += int(done[i].Load())
	}
	require.Len(t, events, total)
	require.Equal(t, map[string]Count{routeSubmit: {
		Requests: int64(total), Commands: 2 * int64(total),
		ByName: map[string]int64{"ZADD": int64(total), "ZREVRANK": int64(total)},
		Shapes: map[string]int64{"ZADD ZREVRANK": int64(total)},
	}}, tally.Routes())
}

func TestAPlayersEventsComeOneAfterTheOther(t *testing.T) {
	events := plan(60, 1, newRand(1, 0))
	var at [60]atomic.Int64
	var busy [60]atomic.Bool
	err := playAll(t.Context(), 100_000, events, func(_ context.Context, e event) error {
		if !busy[e.player].CompareAndSwap(false, true) {
			return errors.New("two at once")
		}
		defer busy[e.player].Store(false)
		if at[e.player].Swap(int64(e.at)) > int64(e.at) {
			return errors.New("a later one was first")
		}
		runtime.Gosched()
		return nil
	})
	require.NoError(t, err)
}

func TestNoHandRunsFarAheadOfTheSlowest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events := make([]event, 1_000)
		for i := range events {
			events[i].player = i
		}
		var begun atomic.Int64
		held, ended := make(chan struct{}), make(chan error)
		go func() {
			ended <- playAll(t.Context(), 100_000, events, func(_ context.Context, e event) error {
				if begun.Add(1); e.player == 0 {
					<-held
				}
				return nil
			})
		}()
		synctest.Wait()
		require.EqualValues(t, 1+(mostHands-1)*(mostHands-1), begun.Load(), "one waits for the first, one for that, and so on")
		close(held)
		require.NoError(t, <-ended)
		require.EqualValues(t, len(events), begun.Load())
	})
}

func TestTheFirstFailureEndsTheDay(t *testing.T) {
	refused := errors.New("refused")
	for _, players := range []int{100, 100_000} {
		var asked atomic.Int32
		err := playAll(t.Context(), players, make([]event, 1_000), func(context.Context, event) error {
			if asked.Add(1) == 10 {
				return refused
			}
			return nil
		})
		require.ErrorIs(t, err, refused)
		require.Less(t, asked.Load(), int32(1_000))
	}
}
