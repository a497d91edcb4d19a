package upstash_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// strange are answers with status 200 that no Upstash gives to two commands.
var strange = map[string]string{
	"a page":                     `<html><body>Please wait</body></html>`,
	"nothing":                    ``,
	"an empty object":            `{}`,
	"null":                       `null`,
	"one answer cut off":         `{"result":"T0`,
	"answers cut off":            `[{"result":"T0s="},{"resu`,
	"too few":                    `[{"result":"T0s="}]`,
	"too many":                   `[{"result":1},{"result":1},{"result":1}]`,
	"something after the answer": `[{"result":1},{"result":1}] trailing`,
	"other objects":              `[{},{}]`,
	"no base64":                  `[{"result":"no base64"},{"result":"?"}]`,
}

// strangely is one way to send commands, and what it may leave behind.
var strangely = map[string]struct {
	send    func(context.Context, *upstash.Client) error
	again   bool  // it may be repeated
	counter int64 // what it leaves after its effect has happened once
}{
	"read": {func(ctx context.Context, c *upstash.Client) error {
		_, err := c.Do(ctx, upstash.Cmd("GET", "n"))
		return err
	}, true, 0},
	"write that bears repetition": {func(ctx context.Context, c *upstash.Client) error {
		_, err := c.Do(ctx, upstash.Cmd("SET", "n", "1").Idempotent())
		return err
	}, true, 1},
	"other write": {func(ctx context.Context, c *upstash.Client) error {
		_, err := c.Do(ctx, upstash.Cmd("INCR", "n"))
		return err
	}, false, 1},
	"pipeline that bears repetition": {func(ctx context.Context, c *upstash.Client) error {
		res, err := c.Pipeline(ctx, upstash.Cmd("SET", "n", "1").Idempotent(), upstash.Cmd("GET", "n"))
		if err == nil {
			err = res.Err()
		}
		return err
	}, true, 1},
	"other pipeline": {func(ctx context.Context, c *upstash.Client) error {
		_, err := c.Pipeline(ctx, upstash.Cmd("INCR", "n"), upstash.Cmd("GET", "n"))
		return err
	}, false, 1},
	"transaction that bears repetition": {func(ctx context.Context, c *upstash.Client) error {
		res, err := c.MultiExec(ctx, upstash.Cmd("SET", "n", "1").Idempotent(), upstash.Cmd("GET", "n"))
		if err == nil {
			err = res.Err()
		}
		return err
	}, true, 1},
	"other transaction": {func(ctx context.Context, c *upstash.Client) error {
		_, err := c.MultiExec(ctx, upstash.Cmd("INCR", "n"), upstash.Cmd("GET", "n"))
		return err
	}, false, 1},
}

func TestAStrangeAnswerIsAskedForAgainWhereThatCannotHarm(t *testing.T) {
	redis, err := redisd.Start(context.Background(), redisd.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, redis.Stop()) })
	for engine, url := range map[string]string{"embedded": "", "real": redis.URL()} {
		server := upstashtest.Start(t, upstashtest.Options{Redis: url})
		for what, body := range strange {
			for how, call := range strangely {
				t.Run(engine+", "+what+", "+how, func(t *testing.T) {
					for _, always := range []bool{false, true} {
						_, err := server.Redis().Do(t.Context(), "FLUSHALL")
						require.NoError(t, err)
						c := client(t, server.URL(), func(cfg *upstash.Config) { cfg.Token = server.Token() })
						var seen atomic.Int64
						server.Inject(func(upstashtest.Request) upstashtest.Fault {
							if seen.Add(1) > 1 && !always {
								return upstashtest.Fault{}
							}
							return upstashtest.Fault{Status: http.StatusOK, Body: body, Applied: true}
						})
						err = call.send(t.Context(), c)
						server.Inject(nil)
						switch {
						case !call.again:
							require.EqualValues(t, 1, seen.Load())
						case always:
							require.EqualValues(t, 4, seen.Load())
						default:
							require.NoError(t, err)
							require.EqualValues(t, 2, seen.Load())
						}
						if !call.again || always {
							require.ErrorIs(t, err, upstash.KindUnavailable)
							e := failed(t, err)
							require.True(t, e.MaybeApplied())
							require.Equal(t, call.again, e.SafeToRetry())
							require.Contains(t, e.Message, "answer not understood")
							require.NotErrorIs(t, err, upstash.ErrCircuitOpen)
						}
						require.Equal(t, call.counter, number(t, c, "INCRBY", "n", "0"), "one effect")
						require.Positive(t, seen.Load())
					}
				})
			}
		}
	}
}

const upgrade = `{"error":"READONLY Writes are temporarily rejected due to server upgrade"}`

func TestWritesRefusedForTheMomentAreSentAgain(t *testing.T) {
	zadd, incr, get := upstash.Cmd("ZADD", "b", "NX", "1", "m").Idempotent(), upstash.Cmd("INCR", "k"), upstash.Cmd("GET", "k")
	do := func(cmd upstash.Command) func(context.Context, *upstash.Client) (upstash.Result, error) {
		return func(ctx context.Context, c *upstash.Client) (upstash.Result, error) {
			_, err := c.Do(ctx, cmd)
			return upstash.Result{Attempts: 1}, err
		}
	}
	pipe := func(cmds ...upstash.Command) func(context.Context, *upstash.Client) (upstash.Result, error) {
		return func(ctx context.Context, c *upstash.Client) (upstash.Result, error) { return c.Pipeline(ctx, cmds...) }
	}
	multi := func(cmds ...upstash.Command) func(context.Context, *upstash.Client) (upstash.Result, error) {
		return func(ctx context.Context, c *upstash.Client) (upstash.Result, error) { return c.MultiExec(ctx, cmds...) }
	}
	both := ok(`[{"result":1},{"result":1}]`)
	for name, tc := range map[string]struct {
		send     func(context.Context, *upstash.Client) (upstash.Result, error)
		refusal  step
		then     step
		attempts int
	}{
		"a write that bears repetition": {do(zadd), answer(400, upgrade), ok(`{"result":1}`), 1},
		"any other write":               {do(incr), ok(upgrade), ok(`{"result":1}`), 1},
		"a pipeline as a whole":         {pipe(incr, get), answer(503, upgrade), both, 1},
		"all writes of a pipeline":      {pipe(incr, zadd), ok(`[` + upgrade + `,` + upgrade + `]`), both, 1},
		"writes beside reads":           {pipe(incr, get), ok(`[` + upgrade + `,{"result":null}]`), both, 1},
		"after a write that bears it":   {pipe(zadd, incr), ok(`[{"result":1},` + upgrade + `]`), both, 2},
		"writes of a transaction":       {multi(get, incr), ok(`[{"result":null},` + upgrade + `]`), both, 1},
		"a discarded transaction":       {multi(get, incr), answer(400, `{"error":"EXECABORT Transaction discarded because of: READONLY You can't write against a read only replica."}`), both, 1},
	} {
		t.Run(name, func(t *testing.T) {
			srv := serve(t, tc.refusal, tc.refusal, tc.refusal, tc.then)
			n := new(naps)
			c := client(t, srv.URL, func(cfg *upstash.Config) {
				cfg.Sleep = n.sleep
				cfg.Rand = func() float64 { return 0 }
			})
			res, err := tc.send(t.Context(), c)
			require.NoError(t, err)
			require.Equal(t, 1+3*(tc.attempts-1), res.Attempts)
			require.Equal(t, []int64{200, 400, 800}, n.milliseconds())
			require.Len(t, srv.requests(), 4)
		})
		t.Run(name+", on and on", func(t *testing.T) {
			srv := serve(t, tc.refusal)
			c := client(t, srv.URL)
			res, err := tc.send(t.Context(), c)
			if err == nil {
				err = res.Err()
			}
			require.ErrorIs(t, err, upstash.KindUnavailable)
			require.ErrorContains(t, err, "READONLY")
			require.Equal(t, tc.attempts > 1, failed(t, err).MaybeApplied())
			require.Len(t, srv.requests(), 4)
		})
	}
	t.Run("but not where another write would happen twice", func(t *testing.T) {
		srv := serve(t, ok(`[{"result":1},`+upgrade+`]`))
		res, err := client(t, srv.URL).Pipeline(t.Context(), incr, zadd)
		require.NoError(t, err)
		require.ErrorIs(t, res.Err(), upstash.KindUnavailable)
		require.False(t, failed(t, res.Err()).MaybeApplied())
		require.Len(t, srv.requests(), 1)
	})
}
