package upstash_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
)

// pipes is a network within the process, for tests on a clock of their own.
type pipes struct {
	backlog chan net.Conn
	closed  chan struct{}
	once    sync.Once
	dialled atomic.Int64
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.backlog:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	p.dialled.Add(1)
	mine, theirs := net.Pipe()
	select {
	case p.backlog <- theirs:
		return mine, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// slow is a database with one counter, which takes as long as its steps say for
// each request, the last one over and over. An endless step never answers.
type slow struct {
	*pipes
	mu       sync.Mutex
	steps    []time.Duration
	requests int
	answer   string
}

// sent is how many requests have come.
func (s *slow) sent() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

const endless = time.Duration(1<<63 - 1)

func (s *slow) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	s.mu.Lock()
	step := s.steps[min(s.requests, len(s.steps)-1)]
	s.requests++
	s.mu.Unlock()
	if step == endless {
		<-r.Context().Done()
		return
	}
	time.Sleep(step)
	_, _ = io.WriteString(w, s.answer)
}

// onSlow runs a test on a virtual clock against a slow database.
func onSlow(t *testing.T, answer string, steps []time.Duration, test func(t *testing.T, c *upstash.Client, s *slow)) {
	synctest.Test(t, func(t *testing.T) {
		s := &slow{pipes: &pipes{backlog: make(chan net.Conn), closed: make(chan struct{})}, steps: steps, answer: answer}
		server := &http.Server{Handler: s}
		go func() { _ = server.Serve(s) }()
		transport := &http.Transport{DialContext: s.dial}
		c, err := upstash.New(upstash.Config{
			URL: "http://db.test", Token: testToken, HTTP: &http.Client{Transport: transport},
			Rand: func() float64 { return 0 },
		})
		require.NoError(t, err)
		test(t, c, s)
		transport.CloseIdleConnections()
		_ = server.Close()
		_ = s.Close()
	})
}

func TestAnAttemptThatHearsNothingIsRepeatedWhereItMayBe(t *testing.T) {
	const s = time.Second
	get := upstash.Cmd("GET", "k")
	zadd := upstash.Cmd("ZADD", "b", "GT", "1", "m")
	for name, tc := range map[string]struct {
		cmd   upstash.Command
		steps []time.Duration
		took  time.Duration
		sent  int
		fails bool
	}{
		"a read after a dead connection":     {get, []time.Duration{endless, 0}, 1200 * time.Millisecond, 2, false},
		"a write that bears it":              {zadd.Idempotent(), []time.Duration{endless, 0}, 1200 * time.Millisecond, 2, false},
		"a write that does not":              {zadd, []time.Duration{endless, 0}, 5 * s, 1, true},
		"a write that does not, in the end":  {zadd, []time.Duration{4 * s}, 4 * s, 1, false},
		"a dead host":                        {get, []time.Duration{endless}, 5 * s, 3, true},
		"a slow answer is waited for longer": {get, []time.Duration{2 * s}, 3200 * time.Millisecond, 2, false},
		"a union in 3 s":                     {upstash.Cmd("ZUNIONSTORE", "d", "1", "a").Idempotent(), []time.Duration{3 * s}, 3 * s, 1, false},
		"a read of a union":                  {upstash.Cmd("zunion", "1", "a"), []time.Duration{4 * s}, 4 * s, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			onSlow(t, `{"result":1}`, tc.steps, func(t *testing.T, c *upstash.Client, s *slow) {
				began := time.Now()
				_, err := c.Do(t.Context(), tc.cmd)
				require.Equal(t, tc.took, time.Since(began))
				require.Equal(t, tc.sent, s.sent())
				require.EqualValues(t, tc.sent, c.Meter().Usage().Commands)
				if !tc.fails {
					require.NoError(t, err)
					return
				}
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.ErrorIs(t, err, upstash.KindUnavailable)
				require.True(t, failed(t, err).MaybeApplied())
			})
		})
	}
}

func TestAHeavyCommandMakesItsWholeCallPatient(t *testing.T) {
	onSlow(t, `[{"result":1},{"result":1}]`, []time.Duration{3 * time.Second}, func(t *testing.T, c *upstash.Client, s *slow) {
		for _, send := range []func(context.Context, ...upstash.Command) (upstash.Result, error){c.Pipeline, c.MultiExec} {
			res, err := send(t.Context(), upstash.Cmd("GET", "k"), upstash.Cmd("ZINTERSTORE", "d", "1", "a").Idempotent())
			require.NoError(t, err)
			require.Equal(t, 1, res.Attempts)
		}
		require.Equal(t, 2, s.sent())
	})
}

func TestAJobWaitsAsLongAsItSays(t *testing.T) {
	onSlow(t, `{"result":1}`, []time.Duration{4 * time.Second, 19 * time.Second, endless}, func(t *testing.T, c *upstash.Client, s *slow) {
		job := upstash.WithTimeout(t.Context(), 20*time.Second)
		_, err := c.Do(job, upstash.Cmd("GET", "k"))
		require.NoError(t, err)
		require.Equal(t, 1, s.sent(), "an attempt may hear nothing for 4.8 s")
		_, err = c.Do(job, upstash.Cmd("INCR", "k"))
		require.NoError(t, err)
		began := time.Now()
		_, err = c.Do(job, upstash.Cmd("INCR", "k"))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 20*time.Second, time.Since(began))
	})
}

func TestWhereOneConnectionDiedTheIdleOnesAreNotTried(t *testing.T) {
	steps := []time.Duration{time.Second, time.Second, time.Second, time.Second, endless, 0}
	onSlow(t, `{"result":1}`, steps, func(t *testing.T, c *upstash.Client, s *slow) {
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				_, err := c.Do(t.Context(), upstash.Cmd("INCR", "k"))
				require.NoError(t, err)
			})
		}
		wait.Wait()
		require.EqualValues(t, 4, s.dialled.Load())
		_, err := c.Do(t.Context(), upstash.Cmd("GET", "k"))
		require.NoError(t, err)
		require.EqualValues(t, 5, s.dialled.Load(), "the second attempt made a connection")
	})
}

func TestAnAnswerThatGoesOnArrivingIsNotGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{backlog: make(chan net.Conn), closed: make(chan struct{})}
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			for _, part := range []string{`{"re`, `sult`, `":`, `1}`} {
				time.Sleep(time.Second)
				_, _ = io.WriteString(w, part)
				w.(http.Flusher).Flush()
			}
		})}
		go func() { _ = server.Serve(p) }()
		transport := &http.Transport{DialContext: p.dial}
		c := client(t, "http://db.test", func(cfg *upstash.Config) { cfg.HTTP = &http.Client{Transport: transport} })
		_, err := c.Do(t.Context(), upstash.Cmd("GET", "k"))
		require.NoError(t, err)
		require.EqualValues(t, 1, c.Meter().Usage().RoundTrips)
		transport.CloseIdleConnections()
		_ = server.Close()
		_ = p.Close()
	})
}

func TestWhatFindsNoConnectionIsRepeatedWhateverItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{backlog: make(chan net.Conn), closed: make(chan struct{})}
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"result":1}`) })}
		go func() { _ = server.Serve(p) }()
		var dials atomic.Int64
		transport := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			if dials.Add(1) == 1 {
				time.Sleep(3 * time.Second) // a network that swallows
				return nil, io.ErrUnexpectedEOF
			}
			return p.dial(ctx, network, addr)
		}}
		c := client(t, "http://db.test", func(cfg *upstash.Config) { cfg.HTTP = &http.Client{Transport: transport} })
		began := time.Now()
		_, err := c.Do(t.Context(), upstash.Cmd("INCR", "k"))
		require.NoError(t, err)
		require.Equal(t, 1200*time.Millisecond, time.Since(began))
		require.EqualValues(t, 1, c.Meter().Usage().RoundTrips)
		time.Sleep(2 * time.Second) // until the first dial has ended
		transport.CloseIdleConnections()
		_ = server.Close()
		_ = p.Close()
	})
}

func TestADeadHostOpensTheBreakerAndOneDeadConnectionDoesNot(t *testing.T) {
	onSlow(t, `{"result":1}`, []time.Duration{endless}, func(t *testing.T, c *upstash.Client, s *slow) {
		for range 2 {
			require.NotErrorIs(t, get(t.Context(), c), upstash.ErrCircuitOpen)
		}
		require.ErrorIs(t, get(t.Context(), c), upstash.ErrCircuitOpen)
		require.Less(t, s.sent(), 7)
	})
	onSlow(t, `{"result":1}`, []time.Duration{endless, 0, endless, 0, endless, 0, endless, 0, endless, 0, endless, 0}, func(t *testing.T, c *upstash.Client, s *slow) {
		for range 6 {
			require.NoError(t, get(t.Context(), c))
		}
		require.Equal(t, 12, s.sent())
	})
}

// silent carries calls whose first attempt is never answered.
type silent struct {
	calls, dropped int
}

func (s *silent) RoundTrip(ctx context.Context, commands [][]string, _ bool) (upstash.Answer, error) {
	if s.calls++; s.calls == 1 {
		<-ctx.Done()
		return upstash.Answer{}, ctx.Err()
	}
	return upstash.Answer{Replies: ones(commands)}, nil
}

func (s *silent) Listen(context.Context, []string, bool) (upstash.Stream, error) {
	return nil, io.ErrClosedPipe
}
func (s *silent) CloseIdleConnections() { s.dropped++ }

func ones(commands [][]string) []upstash.Reply {
	replies := make([]upstash.Reply, len(commands))
	for i := range commands {
		replies[i] = upstash.IntReply(1)
	}
	return replies
}

func TestAnotherTransportsAttemptsEndToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := new(silent)
		c, err := upstash.New(upstash.Config{Transport: s, Rand: func() float64 { return 0 }})
		require.NoError(t, err)
		began := time.Now()
		_, err = c.Do(t.Context(), upstash.Cmd("GET", "k"))
		require.NoError(t, err)
		require.Equal(t, 1200*time.Millisecond, time.Since(began))
		require.Equal(t, 1, s.dropped)

		*s = silent{}
		_, err = c.Do(t.Context(), upstash.Cmd("INCR", "k"))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 1, s.calls)
		require.Equal(t, 6200*time.Millisecond, time.Since(began))
	})
}
