package upstash_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
)

func TestOnlyWhatIsSafeIsSentAgain(t *testing.T) {
	get, incr := upstash.Cmd("GET", "k"), upstash.Cmd("INCR", "k")
	zadd := upstash.Cmd("ZADD", "b", "NX", "1", "m")
	script := upstash.NewScript("return 1", nil)
	for name, tc := range map[string]struct {
		fault step
		cmds  []upstash.Command
		sends int
		kind  upstash.Kind
		maybe bool
	}{
		"read, cut":                      {cut, []upstash.Command{get}, 4, upstash.KindUnavailable, true},
		"read in small letters, cut":     {cut, []upstash.Command{upstash.Cmd("zscore", "b", "m")}, 4, upstash.KindUnavailable, true},
		"read, answer cut in half":       {half, []upstash.Command{get}, 4, upstash.KindUnavailable, true},
		"read, 502":                      {answer(502, ""), []upstash.Command{get}, 4, upstash.KindUnavailable, true},
		"read, redirect":                 {answer(302, "", "Location", "/"), []upstash.Command{get}, 1, upstash.KindProtocol, true},
		"read, garbage":                  {ok("?"), []upstash.Command{get}, 4, upstash.KindUnavailable, true},
		"idempotent write, cut":          {cut, []upstash.Command{zadd.Idempotent()}, 4, upstash.KindUnavailable, true},
		"write, cut":                     {cut, []upstash.Command{zadd}, 1, upstash.KindUnavailable, true},
		"write, answer cut in half":      {half, []upstash.Command{incr}, 1, upstash.KindUnavailable, true},
		"write, 500":                     {answer(500, ""), []upstash.Command{incr}, 1, upstash.KindUnavailable, true},
		"script, cut":                    {cut, []upstash.Command{script.Command(nil)}, 1, upstash.KindUnavailable, true},
		"idempotent script, cut":         {cut, []upstash.Command{script.Command(nil).Idempotent()}, 4, upstash.KindUnavailable, true},
		"reads with one write, cut":      {cut, []upstash.Command{get, incr, get}, 1, upstash.KindUnavailable, true},
		"reads and idempotent ones, cut": {cut, []upstash.Command{get, zadd.Idempotent()}, 4, upstash.KindUnavailable, true},
		"write, throttled":               {answer(429, ""), []upstash.Command{incr}, 4, upstash.KindThrottled, false},
		"read, not authorized":           {answer(401, ""), []upstash.Command{get}, 1, upstash.KindAuth, false},
		"read, out of quota":             {ok(`{"error":"ERR max requests limit exceeded."}`), []upstash.Command{get}, 1, upstash.KindQuota, false},
		"read, too large":                {answer(413, ""), []upstash.Command{get}, 1, upstash.KindTooLarge, false},
		"read, refused":                  {answer(400, `{"error":"ERR syntax"}`), []upstash.Command{get}, 1, upstash.KindItem, false},
	} {
		t.Run(name, func(t *testing.T) {
			srv := serve(t, tc.fault)
			c := client(t, srv.URL)
			var err error
			if len(tc.cmds) == 1 {
				_, err = c.Do(t.Context(), tc.cmds[0])
			} else {
				_, err = c.Pipeline(t.Context(), tc.cmds...)
			}
			e := failed(t, err)
			require.Equal(t, tc.kind.Error(), e.Kind().Error())
			require.Equal(t, tc.maybe, e.MaybeApplied())
			got := srv.requests()
			require.Len(t, got, tc.sends)
			for _, r := range got {
				require.Equal(t, got[0].body, r.body)
				require.NotEmpty(t, r.body)
			}
			u := c.Meter().Usage()
			require.EqualValues(t, tc.sends, u.RoundTrips)
			require.EqualValues(t, tc.sends*len(tc.cmds), u.Commands, "what was sent again is billed again")
		})
	}
}

func TestAttemptsTellOfEarlierSendsThatMayCount(t *testing.T) {
	zadd := upstash.Cmd("ZADD", "b", "NX", "1", "m").Idempotent()
	for name, tc := range map[string]struct {
		faults   []step
		attempts int
	}{
		"first time":       {nil, 1},
		"after a cut":      {[]step{cut}, 2},
		"after two":        {[]step{half, answer(503, "")}, 3},
		"after a throttle": {[]step{answer(429, "")}, 1},
		"after both":       {[]step{cut, answer(429, "")}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			srv := serve(t, append(tc.faults, ok(`[{"result":0}]`))...)
			c := client(t, srv.URL)
			res, err := c.Pipeline(t.Context(), zadd)
			require.NoError(t, err)
			require.Equal(t, tc.attempts, res.Attempts)
			require.Len(t, srv.requests(), len(tc.faults)+1)
		})
	}
	t.Run("an error of an item may follow an effect", func(t *testing.T) {
		srv := serve(t, cut, ok(`[{"error":"ERR later"}]`))
		res, err := client(t, srv.URL).Pipeline(t.Context(), zadd)
		require.NoError(t, err)
		require.True(t, failed(t, res.Err()).MaybeApplied())
		require.True(t, failed(t, res.Err()).SafeToRetry())
	})
	t.Run("a refusal after a lost send", func(t *testing.T) {
		srv := serve(t, cut, answer(401, ""))
		_, err := client(t, srv.URL).Do(t.Context(), zadd)
		require.ErrorIs(t, err, upstash.KindAuth)
		require.True(t, failed(t, err).MaybeApplied())
	})
}

func TestUnreachableServerIsTriedAgainForAnyCommand(t *testing.T) {
	srv := serve(t, ok(`{"result":1}`))
	dials := 0
	dialer := new(net.Dialer)
	transport := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		if dials++; dials < 3 {
			return nil, errors.New("no route")
		}
		return dialer.DialContext(ctx, network, addr)
	}}
	defer transport.CloseIdleConnections()
	c := client(t, srv.URL, func(cfg *upstash.Config) { cfg.HTTP = &http.Client{Transport: transport} })
	_, err := c.Do(t.Context(), upstash.Cmd("INCR", "k"))
	require.NoError(t, err)
	require.Equal(t, 3, dials)
	require.EqualValues(t, 1, c.Meter().Usage().Commands, "what was never sent is not billed")
	require.EqualValues(t, 1, c.Meter().Usage().RoundTrips)
}

func TestUnreachableServerSurelyAppliedNothing(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr := l.Addr().String()
	require.NoError(t, l.Close())
	c := client(t, "http://"+addr)
	_, err = c.Do(t.Context(), upstash.Cmd("INCR", "k"))
	e := failed(t, err)
	require.Equal(t, upstash.KindUnavailable, e.Kind())
	require.False(t, e.MaybeApplied())
	require.True(t, e.SafeToRetry())
	require.Zero(t, c.Meter().Usage().Commands)
	var op *net.OpError
	require.ErrorAs(t, err, &op)
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestTransportThatTellsNothingMayHaveSent(t *testing.T) {
	sends := 0
	c := client(t, "http://db.test", func(cfg *upstash.Config) {
		cfg.HTTP = &http.Client{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
			sends++
			return nil, errors.New("wires crossed")
		})}
	})
	_, err := c.Do(t.Context(), upstash.Cmd("INCR", "k"))
	require.True(t, failed(t, err).MaybeApplied())
	require.Equal(t, 1, sends)
}

func TestWaitsGrowAreRandomAndHonourTheServer(t *testing.T) {
	waits := func(t *testing.T, random float64, steps ...step) []time.Duration {
		n := new(naps)
		c := client(t, serve(t, steps...).URL, func(cfg *upstash.Config) {
			cfg.Sleep, cfg.Attempts, cfg.Timeout = n.sleep, 9, time.Hour
			cfg.Rand = func() float64 { return random }
		})
		_, err := c.Do(t.Context(), upstash.Cmd("GET", "k"))
		require.Error(t, err)
		return n.took
	}
	const ms = time.Millisecond
	require.Equal(t, []time.Duration{25 * ms, 50 * ms, 100 * ms, 200 * ms, 400 * ms, 500 * ms, 500 * ms, 500 * ms},
		waits(t, 0.5, answer(503, "")))
	require.Equal(t, make([]time.Duration, 8), waits(t, 0, answer(503, "")))
	require.Equal(t, []time.Duration{2025 * ms}, waits(t, 0.5, answer(429, "", "Retry-After", "2"), answer(401, "")))
}

func TestNoWaitGoesBeyondTheDeadline(t *testing.T) {
	n := new(naps)
	srv := serve(t, answer(429, "", "Retry-After", "3600"))
	c := client(t, srv.URL, func(cfg *upstash.Config) { cfg.Sleep = n.sleep })
	_, err := c.Do(t.Context(), upstash.Cmd("GET", "k"))
	e := failed(t, err)
	require.Equal(t, upstash.KindThrottled, e.Kind())
	require.Equal(t, time.Hour, e.RetryAfter())
	require.Empty(t, n.took)
	require.Len(t, srv.requests(), 1)
}

func TestCancellationEndsTheWait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		answer(429, "", "Retry-After", "3600")(w, r)
	})
	c := client(t, srv.URL, func(cfg *upstash.Config) {
		cfg.Timeout, cfg.Sleep = 2*time.Hour, nil
		cfg.Rand = func() float64 {
			cancel() // called just before the wait begins
			return 0
		}
	})
	_, err := c.Do(ctx, upstash.Cmd("GET", "k"))
	require.ErrorIs(t, err, upstash.KindThrottled)
	require.Len(t, srv.requests(), 1)
}
