package upstash_test

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/dev/redisd"
	"github.com/framedle/leaderboards/upstash"
	"github.com/framedle/leaderboards/upstash/redistransport"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// swallower forwards connections to a server until they are frozen: then they stay open, and
// what is sent on them disappears. New ones work.
type swallower struct {
	net.Listener
	to string

	mu    sync.Mutex
	pairs []*pair
	all   chan struct{} // closed when there are as many as calls are made together
}

// atOnce is how many calls are made together. No answer is passed on before each call has a
// connection of its own: a call that used another's would leave a half-made connection behind.
const atOnce = 8

// pair is one forwarded connection and the ways on which bytes get lost.
type pair struct {
	mu                 sync.Mutex
	questions, answers bool
	conns              []net.Conn
}

func swallow(t *testing.T, to string) *swallower {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &swallower{Listener: l, to: to, all: make(chan struct{})}
	var wait sync.WaitGroup
	wait.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				_ = conn.Close()
				continue
			}
			p := &pair{conns: []net.Conn{conn, server}}
			s.mu.Lock()
			s.pairs = append(s.pairs, p)
			if len(s.pairs) == atOnce {
				close(s.all)
			}
			s.mu.Unlock()
			wait.Go(func() { p.forward(server, conn, &p.questions) })
			wait.Go(func() {
				select {
				case <-s.all:
				case <-t.Context().Done(): // and the connections are closed
				}
				p.forward(conn, server, &p.answers)
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		s.mu.Lock()
		for _, p := range s.pairs {
			for _, c := range p.conns {
				_ = c.Close()
			}
		}
		s.mu.Unlock()
		wait.Wait()
	})
	return s
}

func (p *pair) forward(to, from net.Conn, lost *bool) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		p.mu.Lock()
		frozen := *lost
		p.mu.Unlock()
		if n > 0 && !frozen {
			_, _ = to.Write(buf[:n])
		}
		if err != nil {
			if !frozen {
				_ = to.Close()
			}
			return
		}
	}
}

// freeze has all connections that are there lose questions, or answers alone.
func (s *swallower) freeze(answersAlone bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pairs {
		p.mu.Lock()
		p.questions, p.answers = !answersAlone, true
		p.mu.Unlock()
	}
}

func (s *swallower) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.pairs)
}

// throughSwallower runs a test over REST on both engines, and over the Redis
// protocol.
func throughSwallower(t *testing.T, test func(t *testing.T, s *swallower, c *upstash.Client)) {
	rest := func(t *testing.T, redis string) {
		server := upstashtest.Start(t, upstashtest.Options{Redis: redis})
		s := swallow(t, strings.TrimPrefix(server.URL(), "http://"))
		c, err := upstash.New(upstash.Config{URL: "http://" + s.Addr().String(), Token: server.Token()})
		require.NoError(t, err)
		test(t, s, c)
	}
	real := func(t *testing.T) string {
		server, err := redisd.Start(context.Background(), redisd.Options{})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, server.Stop()) })
		return server.URL()
	}
	t.Run("REST, embedded", func(t *testing.T) { rest(t, "") })
	t.Run("REST, real", func(t *testing.T) { rest(t, real(t)) })
	t.Run("Redis protocol", func(t *testing.T) {
		s := swallow(t, strings.TrimPrefix(real(t), "redis://"))
		transport, err := redistransport.New("redis://" + s.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { _ = transport.Close() })
		c, err := upstash.New(upstash.Config{Transport: transport})
		require.NoError(t, err)
		test(t, s, c)
	})
}

// together makes calls at once, so that there are idle connections.
func together(t *testing.T, c *upstash.Client) {
	var wait sync.WaitGroup
	for range atOnce {
		wait.Go(func() {
			_, err := c.Do(context.Background(), upstash.Cmd("PING"))
			require.NoError(t, err)
		})
	}
	wait.Wait()
}

func number(t *testing.T, c *upstash.Client, cmd ...string) int64 {
	reply, err := c.Do(context.Background(), upstash.Cmd(cmd...))
	require.NoError(t, err)
	n, err := reply.Int64()
	require.NoError(t, err)
	return n
}

func TestConnectionsThatDiedWithoutAWordAreSurvived(t *testing.T) {
	for name, answersAlone := range map[string]bool{"before the effect": false, "after the effect": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			throughSwallower(t, func(t *testing.T, s *swallower, c *upstash.Client) {
				t.Parallel()
				together(t, c)
				made := s.count()
				s.freeze(answersAlone)
				began := time.Now()
				res, err := c.Pipeline(t.Context(),
					upstash.Cmd("ZADD", "b", "NX", "800", "m").Idempotent(), upstash.Cmd("ZCARD", "b"))
				took := time.Since(began)
				require.NoError(t, err)
				require.NoError(t, res.Err())
				t.Logf("answered after %v", took)
				require.Less(t, took, 3*time.Second, "1.2 s of silence and one exchange")
				require.Equal(t, 2, res.Attempts)
				require.Equal(t, made+1, s.count(), "of the idle connections no other was tried")
				n, err := res.Replies[1].Int64()
				require.NoError(t, err)
				require.EqualValues(t, 1, n)

				// A call that may not be repeated is not repeated, and does not claim to be
				// certain.
				s.freeze(answersAlone)
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
				defer cancel()
				_, err = c.Do(ctx, upstash.Cmd("INCR", "n"))
				require.ErrorIs(t, err, upstash.KindUnavailable)
				require.True(t, failed(t, err).MaybeApplied())
				want := int64(0)
				if answersAlone {
					want = 1
				}
				require.Equal(t, want, number(t, c, "EXISTS", "n"))
			})
		})
	}
}
