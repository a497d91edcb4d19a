package upstash_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
)

// hands is a clock that stands still until it is moved.
type hands struct{ nanos atomic.Int64 }

func (h *hands) now() time.Time       { return time.Unix(1_800_000_000, h.nanos.Load()) }
func (h *hands) move(d time.Duration) { h.nanos.Add(int64(d)) }

// guarded is a client of one attempt a call, on a clock of its own.
func guarded(t *testing.T, steps ...step) (*upstash.Client, *scripted, *hands) {
	clock, srv := new(hands), serve(t, steps...)
	c := client(t, srv.URL, func(cfg *upstash.Config) { cfg.Now, cfg.Attempts = clock.now, 1 })
	return c, srv, clock
}

const outOfQuota = `{"error":"ERR max requests limit exceeded. Limit: 500000, Usage: 500001"}`

func get(ctx context.Context, c *upstash.Client) error {
	_, err := c.Do(ctx, upstash.Cmd("GET", "k"))
	return err
}

// trip fails five times within two seconds.
func trip(t *testing.T, c *upstash.Client, clock *hands) {
	for i := range 5 {
		if i == 4 {
			clock.move(2 * time.Second)
		}
		err := get(t.Context(), c)
		require.Error(t, err)
		require.NotErrorIs(t, err, upstash.ErrCircuitOpen)
	}
}

func TestDeadRedisIsAnImmediateError(t *testing.T) {
	c, srv, clock := guarded(t, answer(503, "", "Retry-After", "7"))
	trip(t, c, clock)
	before := c.Meter().Usage()
	_, err := c.Do(t.Context(), upstash.Cmd("INCR", "k"))
	e := failed(t, err)
	require.ErrorIs(t, err, upstash.ErrCircuitOpen)
	require.ErrorIs(t, err, upstash.KindUnavailable)
	require.Equal(t, 500*time.Millisecond, e.RetryAfter())
	require.False(t, e.MaybeApplied())
	require.True(t, e.SafeToRetry())
	require.Equal(t, "INCR", e.Command())
	require.Equal(t, `upstash: do INCR "k": unavailable: the circuit breaker is open after: service unavailable (http status 503)`, e.Error())
	require.Len(t, srv.requests(), 5)
	require.Equal(t, before, c.Meter().Usage(), "nothing was sent, nothing is billed")
}

func TestOneCallEachDelayFindsARecovery(t *testing.T) {
	c, srv, clock := guarded(t, cut, cut, cut, cut, cut, cut, ok(`{"result":1}`))
	trip(t, c, clock)
	require.ErrorIs(t, get(t.Context(), c), upstash.ErrCircuitOpen)
	clock.move(500 * time.Millisecond)
	require.NotErrorIs(t, get(t.Context(), c), upstash.ErrCircuitOpen, "the sixth request, still cut")
	require.ErrorIs(t, get(t.Context(), c), upstash.ErrCircuitOpen, "one alone went through")
	clock.move(500 * time.Millisecond)
	require.NoError(t, get(t.Context(), c))
	require.NoError(t, get(t.Context(), c))
	require.Len(t, srv.requests(), 8)
}

func TestQuotaIsAskedForLessOften(t *testing.T) {
	for name, tc := range map[string]struct {
		answer step
		send   func(context.Context, *upstash.Client) error
	}{
		"single":   {answer(400, outOfQuota), get},
		"whole":    {answer(429, outOfQuota), pipelined},
		"by items": {ok(`[` + outOfQuota + `,` + outOfQuota + `]`), pipelined},
	} {
		t.Run(name, func(t *testing.T) {
			c, srv, clock := guarded(t, tc.answer)
			for range 5 {
				require.ErrorIs(t, tc.send(t.Context(), c), upstash.KindQuota)
				clock.move(time.Second)
			}
			err := tc.send(t.Context(), c)
			require.ErrorIs(t, err, upstash.KindQuota)
			require.ErrorIs(t, err, upstash.ErrCircuitOpen)
			require.Equal(t, 29*time.Second, failed(t, err).RetryAfter())
			require.Len(t, srv.requests(), 5)
			clock.move(29 * time.Second)
			require.NotErrorIs(t, tc.send(t.Context(), c), upstash.ErrCircuitOpen)
		})
	}
}

func TestADatabaseThatAnswersNoiseIsNotAskedOnAndOn(t *testing.T) {
	c, srv, clock := guarded(t, ok(`<html>`), ok(`{}`), cut, ok(``), ok(`<html>`), ok(`<html>`), ok(`{"result":1}`))
	trip(t, c, clock)
	require.ErrorIs(t, get(t.Context(), c), upstash.ErrCircuitOpen)
	clock.move(500 * time.Millisecond)
	require.NotErrorIs(t, get(t.Context(), c), upstash.ErrCircuitOpen, "one finds noise")
	require.ErrorIs(t, get(t.Context(), c), upstash.ErrCircuitOpen, "which does not close it")
	clock.move(500 * time.Millisecond)
	require.NoError(t, get(t.Context(), c))
	require.Len(t, srv.requests(), 7)
}

func pipelined(ctx context.Context, c *upstash.Client) error {
	res, err := c.Pipeline(ctx, upstash.Cmd("GET", "a"), upstash.Cmd("GET", "b"))
	if err != nil {
		return err
	}
	return res.Err()
}

func TestWhatIsNoOutageDoesNotOpenTheBreaker(t *testing.T) {
	for name, steps := range map[string][]step{
		"throttled":        {answer(429, "")},
		"wrong token":      {answer(401, "")},
		"refused":          {answer(400, `{"error":"ERR x"}`)},
		"storage full":     {answer(400, `{"error":"ERR DB capacity quota exceeded"}`)},
		"upgraded":         {answer(400, upgrade)},
		"a page, once":     {ok(`<html>`), cut, cut, ok(`<html>`), ok(`{"result":1}`)},
		"some items alone": {ok(`[` + outOfQuota + `,{"result":1}]`)},
		"now and then":     {cut, cut, cut, cut, ok(`{"result":1}`), cut, cut, cut, cut, ok(`{"result":1}`)},
	} {
		t.Run(name, func(t *testing.T) {
			c, srv, clock := guarded(t, steps...)
			for range 10 {
				clock.move(time.Second)
				if name == "some items alone" {
					require.Error(t, pipelined(t.Context(), c))
					continue
				}
				_ = get(t.Context(), c)
			}
			require.Len(t, srv.requests(), 10)
		})
	}
	t.Run("many at the same moment", func(t *testing.T) {
		c, srv, _ := guarded(t, cut)
		for range 20 {
			require.NotErrorIs(t, get(t.Context(), c), upstash.ErrCircuitOpen)
		}
		require.Len(t, srv.requests(), 20)
	})
	t.Run("callers that went away", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c, _, clock := guarded(t, func(w http.ResponseWriter, r *http.Request) { cancel(); hang(w, r) })
		for range 10 {
			clock.move(time.Second)
			require.NotErrorIs(t, get(ctx, c), upstash.ErrCircuitOpen)
		}
	})
	t.Run("turned off", func(t *testing.T) {
		clock, srv := new(hands), serve(t, cut)
		c := client(t, srv.URL, func(cfg *upstash.Config) {
			cfg.Now, cfg.Attempts, cfg.Breaker.Off = clock.now, 1, true
		})
		for range 10 {
			clock.move(time.Second)
			require.NotErrorIs(t, get(t.Context(), c), upstash.ErrCircuitOpen)
		}
	})
}

func TestBreakerThatOpensAmidTheAttemptsKeepsTheirStory(t *testing.T) {
	clock, srv := new(hands), serve(t, cut)
	c := client(t, srv.URL, func(cfg *upstash.Config) {
		cfg.Now, cfg.Attempts = clock.now, 9
		cfg.Breaker = upstash.Breaker{Failures: 3}
		cfg.Sleep = func(context.Context, time.Duration) error { clock.move(time.Second); return nil }
	})
	_, err := c.Do(t.Context(), upstash.Cmd("ZADD", "b", "NX", "1", "m").Idempotent())
	require.NotErrorIs(t, err, upstash.ErrCircuitOpen)
	require.True(t, failed(t, err).MaybeApplied(), "three were sent")
	// After the third the waits are longer than the delay: each is let through.
	require.Len(t, srv.requests(), 9)
}

func TestBreakerUnderConcurrentCalls(t *testing.T) {
	clock := new(hands)
	var dead atomic.Bool
	dead.Store(true)
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if dead.Load() {
			cut(w, r)
			return
		}
		ok(`{"result":1}`)(w, r)
	})
	c := client(t, srv.URL, func(cfg *upstash.Config) { cfg.Now, cfg.Attempts = clock.now, 1 })
	trip(t, c, clock)
	var through atomic.Int64
	crowd := func() {
		var wait sync.WaitGroup
		for range 32 {
			wait.Go(func() {
				if err := get(t.Context(), c); upstash.KindOf(err) == upstash.KindUnavailable && failed(t, err).Unwrap() != upstash.ErrCircuitOpen {
					through.Add(1)
				}
			})
		}
		wait.Wait()
	}
	clock.move(time.Second)
	crowd()
	require.EqualValues(t, 1, through.Load())
	dead.Store(false)
	clock.move(time.Second)
	crowd()
	require.NoError(t, get(t.Context(), c))
}
