package idempotency_test

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
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

type kit struct {
	*idempotency.Records
	*testkit.Redis
	moved atomic.Int64
}

func (k *kit) now() time.Time {
	return time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC).Add(time.Duration(k.moved.Load()))
}

func newKit(tb testing.TB, address string) *kit {
	k := &kit{Redis: testkit.NewRedis(tb, address, testkit.AtOnce)}
	k.Records = idempotency.New(k.Client, k.now)
	return k
}

// onEngines runs a test over the embedded Redis and over a real one.
func onEngines(t *testing.T, test func(t *testing.T, k *kit)) {
	testkit.OnEngines(t, func(t *testing.T, address string) { test(t, newKit(t, address)) })
}

func (k *kit) life(tb testing.TB) time.Duration {
	left, err := k.Server.Redis().Do(context.Background(), "PTTL", "once:id")
	require.NoError(tb, err)
	return time.Duration(left.(int64)) * time.Millisecond
}

var created = idempotency.Answer{Status: 201, Body: []byte("{\"name\":\"Zoë\"}\n")}

func TestAnAnswerIsKeptForADay(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		ctx := t.Context()
		claim, err := k.Claim(ctx, "id", "f")
		require.NoError(t, err)
		_, ok := claim.Answer()
		require.False(t, ok)
		require.LessOrEqual(t, k.life(t), idempotency.Deadline)
		require.Positive(t, k.life(t))

		var running *idempotency.RunningError
		_, err = k.Claim(ctx, "id", "f")
		require.ErrorAs(t, err, &running)
		require.Equal(t, idempotency.Deadline, running.Wait)
		_, err = k.Claim(ctx, "id", "g")
		require.ErrorIs(t, err, idempotency.ErrReused)
		_, err = k.Claim(ctx, "other", "g")
		require.NoError(t, err)

		require.NoError(t, claim.Keep(ctx, created))
		require.Greater(t, k.life(t), idempotency.Life-time.Minute)
		again, err := k.Claim(ctx, "id", "f")
		require.NoError(t, err)
		got, ok := again.Answer()
		require.True(t, ok)
		require.Equal(t, created, got)
		require.NoError(t, again.Keep(ctx, idempotency.Answer{Status: 500}), "a replay holds nothing")
		require.NoError(t, again.Release(ctx))
		_, err = k.Claim(ctx, "id", "g")
		require.ErrorIs(t, err, idempotency.ErrReused)
		require.EqualValues(t, 7, k.Client.Meter().Usage().Commands, "six claims and one answer")
	})
}

func TestAReleasedKeyIsFree(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		claim, err := k.Claim(t.Context(), "id", "f")
		require.NoError(t, err)
		require.NoError(t, claim.Release(t.Context()))
		_, err = k.Claim(t.Context(), "id", "g")
		require.NoError(t, err)
	})
}

func TestAClaimThatHasRunOutTouchesNothing(t *testing.T) {
	k := newKit(t, "")
	late, err := k.Claim(t.Context(), "id", "f")
	require.NoError(t, err)
	_, err = k.Server.Redis().Do(t.Context(), "DEL", "once:id") // its deadline has passed
	require.NoError(t, err)
	k.moved.Store(int64(idempotency.Deadline))
	next, err := k.Claim(t.Context(), "id", "f")
	require.NoError(t, err)
	require.NoError(t, late.Keep(t.Context(), idempotency.Answer{Status: 200}))
	require.NoError(t, late.Release(t.Context()))
	require.NoError(t, next.Keep(t.Context(), created))
	again, err := k.Claim(t.Context(), "id", "f")
	require.NoError(t, err)
	got, _ := again.Answer()
	require.Equal(t, created, got)
}

func TestTheZeroClaimHoldsNothing(t *testing.T) {
	var claim idempotency.Claim
	require.NoError(t, claim.Keep(t.Context(), created))
	require.NoError(t, claim.Release(t.Context()))
}

func TestALostAnswerToAClaimIsNotAnothersClaim(t *testing.T) {
	k := newKit(t, "")
	var sent atomic.Int64
	k.Server.Inject(func(upstashtest.Request) upstashtest.Fault {
		return upstashtest.Fault{CutAfter: sent.Add(1) == 1}
	})
	_, err := k.Claim(t.Context(), "id", "f")
	require.NoError(t, err)
	require.EqualValues(t, 2, sent.Load())
}

func TestAClaimWithoutAnAnswerIsGivenBackIfItIsOnesOwn(t *testing.T) {
	strange := upstashtest.Fault{Status: 200, Body: "<html>", Applied: true}
	onEngines(t, func(t *testing.T, k *kit) {
		k.Server.Inject(func(upstashtest.Request) upstashtest.Fault { return strange })
		claim, err := k.Claim(t.Context(), "id", "f")
		require.ErrorIs(t, err, upstash.KindUnavailable)
		require.Positive(t, k.life(t), "it stands")
		require.Error(t, claim.Release(t.Context()))
		k.Server.Inject(nil)
		require.NoError(t, claim.Release(t.Context()))
		next, err := k.Claim(t.Context(), "id", "f")
		require.NoError(t, err)
		require.NoError(t, claim.Release(t.Context()))
		require.NoError(t, claim.Keep(t.Context(), idempotency.Answer{Status: 500}))
		require.Positive(t, k.life(t), "it is another's by now")
		require.NoError(t, next.Keep(t.Context(), created))

		k.Server.Inject(func(upstashtest.Request) upstashtest.Fault { return strange })
		claim, err = k.Claim(t.Context(), "id", "f")
		require.Error(t, err)
		k.Server.Inject(nil)
		require.NoError(t, claim.Release(t.Context()))
		again, err := k.Claim(t.Context(), "id", "f")
		require.NoError(t, err)
		got, ok := again.Answer()
		require.True(t, ok)
		require.Equal(t, created, got)
	})
}

func TestARefusedClaimHoldsNothing(t *testing.T) {
	k := newKit(t, "")
	_, err := k.Claim(t.Context(), "id", "f")
	require.NoError(t, err)
	for fingerprint, want := range map[string]any{"f": new(*idempotency.RunningError), "g": nil} {
		claim, err := k.Claim(t.Context(), "id", fingerprint)
		if want != nil {
			require.ErrorAs(t, err, want)
		} else {
			require.ErrorIs(t, err, idempotency.ErrReused)
		}
		require.NoError(t, claim.Release(t.Context()))
		require.Positive(t, k.life(t), "the other's claim stands")
	}
}

func TestOneOfManyGetsTheClaim(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		var won atomic.Int64
		var wait sync.WaitGroup
		for range 32 {
			wait.Go(func() {
				if _, err := k.Claim(context.Background(), "id", "f"); err == nil {
					won.Add(1)
				}
			})
		}
		wait.Wait()
		require.EqualValues(t, 1, won.Load())
	})
}

func ExampleRecords_Claim() {
	server, err := upstashtest.New(upstashtest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = server.Close() }()
	client, err := upstash.New(upstash.Config{URL: server.URL(), Token: server.Token()})
	if err != nil {
		fmt.Println(err)
		return
	}
	records := idempotency.New(client, time.Now)
	for range 2 {
		claim, err := records.Claim(context.Background(), "user_a-key-1", "digest-of-the-body")
		if err != nil {
			fmt.Println(err)
			return
		}
		if kept, ok := claim.Answer(); ok {
			fmt.Println("again:", kept.Status, string(kept.Body))
			continue
		}
		fmt.Println("the effect happens")
		if err := claim.Keep(context.Background(), idempotency.Answer{Status: 201, Body: []byte("{}")}); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// the effect happens
	// again: 201 {}
}

// Redis is lost before any request of three retries: none is told that its key is another
// request's, none waits longer than the deadline, an answer is one that was kept, and no record
// stays for ever.
func TestAfterALossAKeyIsAsIfItWereNew(t *testing.T) {
	onEngines(t, func(t *testing.T, k *kit) {
		held := 0
		for n, more := 1, true; more; n++ {
			when := fmt.Sprint("lost before request ", n)
			k.Empty()
			end := testkit.Before(k.Server, n, k.Empty)
			var claims []idempotency.Claim
			for range 2 {
				claim, err := k.Claim(t.Context(), "id", "f")
				if running := (*idempotency.RunningError)(nil); errors.As(err, &running) {
					require.LessOrEqual(t, running.Wait, idempotency.Deadline, when)
					continue
				}
				require.NoError(t, err, when)
				claims = append(claims, claim)
			}
			for _, claim := range claims {
				require.NoError(t, claim.Keep(t.Context(), created), when)
				require.Positive(t, k.life(t), when)
			}
			last, err := k.Claim(t.Context(), "id", "f")
			require.NoError(t, err, when)
			if got, ok := last.Answer(); ok {
				require.Equal(t, created, got, when)
			} else {
				held++
				require.NoError(t, last.Release(t.Context()))
			}
			more = end()
		}
		require.Equal(t, 1, held, "where the answer was lost with Redis")
	})
}
