package upstash_test

import (
	"bufio"
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
)

// raw answers the requests of each connection with these texts, one after the other,
// and then hangs up. It counts connections and requests.
type raw struct {
	net.Listener
	mu              sync.Mutex
	conns, requests int
}

func serveRaw(t *testing.T, answers ...string) *raw {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &raw{Listener: l}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.conns++
			s.mu.Unlock()
			go s.talk(conn, answers)
		}
	}()
	return s
}

func (s *raw) talk(conn net.Conn, answers []string) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	for _, answer := range answers {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, req.Body)
		s.mu.Lock()
		s.requests++
		s.mu.Unlock()
		if _, err := io.WriteString(conn, answer); err != nil {
			return
		}
	}
	if len(answers) == 0 { // nothing is read of it
		_, _ = io.WriteString(conn, "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	}
}

func (s *raw) count() (conns, requests int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns, s.requests
}

func (s *raw) url() string { return "http://" + s.Addr().String() }

const wireOne = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n" + `{"result":1}`

// A request is the same on both kinds of connection.
func TestRequestIsTheSameOverAGivenClient(t *testing.T) {
	for _, path := range []string{"", "/prefix"} {
		srv := serve(t, answer(200, `{"result":1}`, "Upstash-Sync-Token", "newest"))
		for _, texts := range []bool{false, true} {
			var calls [][]seen
			for _, given := range []*http.Client{nil, {Transport: &http.Transport{DisableCompression: true}}} {
				c := client(t, srv.URL+path, func(cfg *upstash.Config) { cfg.HTTP, cfg.TextAnswers, cfg.Attempts = given, texts, 1 })
				ctx := upstash.WithSync(t.Context(), new(upstash.Sync))
				before := len(srv.requests())
				_, _ = c.Do(ctx, upstash.Cmd("GET", "ключ"))
				_, _ = c.Pipeline(ctx, upstash.Cmd("GET", "a"))
				_, _ = c.MultiExec(ctx, upstash.Cmd("GET", "b"))
				calls = append(calls, srv.requests()[before:])
			}
			require.Len(t, calls[0], 3)
			require.Equal(t, calls[1], calls[0])
		}
	}
}

// A request that may not be sent twice must not use a connection that the server has closed.
func TestClosedConnectionIsFoundBeforeItIsUsed(t *testing.T) {
	for _, secure := range []bool{false, true} {
		srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"result":1}`)
		}))
		if secure {
			srv.StartTLS()
		} else {
			srv.Start()
		}
		t.Cleanup(srv.Close)
		c := client(t, srv.URL)
		if secure {
			roots := x509.NewCertPool()
			roots.AddCert(srv.Certificate())
			upstash.Trust(c, roots)
		}
		for range 20 {
			_, err := c.Do(t.Context(), upstash.Cmd("INCR", "k"))
			require.NoError(t, err)
			_, err = c.Do(t.Context(), upstash.Cmd("INCR", "k"))
			require.NoError(t, err)
			require.Equal(t, 1, upstash.Idle(c))
			srv.CloseClientConnections()
		}
	}
}

func TestUnknownCertificateIsRefused(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.NotFoundHandler())
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	t.Cleanup(srv.Close)
	_, err := client(t, srv.URL).Do(t.Context(), upstash.Cmd("INCR", "k"))
	require.ErrorContains(t, err, "certificate")
	require.False(t, failed(t, err).MaybeApplied(), "nothing was sent")
}

func TestConnectionIsNotUsedAgain(t *testing.T) {
	for name, answer := range map[string]string{
		"that the server closes":          "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 12\r\n\r\n" + `{"result":1}`,
		"of HTTP/1.0":                     "HTTP/1.0 200 OK\r\nContent-Length: 12\r\n\r\n" + `{"result":1}`,
		"that brought more than was due":  wireOne + "HTTP/1.1 200 OK\r\n",
		"whose answer was not understood": "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nX" + `{"result":1}`,
	} {
		t.Run(name, func(t *testing.T) {
			srv := serveRaw(t, answer, wireOne)
			c := client(t, srv.url(), func(cfg *upstash.Config) { cfg.Attempts = 1 })
			for range 3 {
				_, _ = c.Do(t.Context(), upstash.Cmd("GET", "k"))
			}
			conns, requests := srv.count()
			require.Equal(t, 3, requests)
			if name != "whose answer was not understood" {
				require.Equal(t, 3, conns)
			}
		})
	}
}

func TestInterimAnswersArePassedOver(t *testing.T) {
	srv := serveRaw(t, "HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n"+wireOne, wireOne)
	c := client(t, srv.url())
	for range 2 {
		_, err := c.Do(t.Context(), upstash.Cmd("INCR", "k"))
		require.NoError(t, err)
	}
	conns, _ := srv.count()
	require.Equal(t, 1, conns)

	srv = serveRaw(t, strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 100)+wireOne)
	_, err := client(t, srv.url()).Do(t.Context(), upstash.Cmd("INCR", "k"))
	require.ErrorContains(t, err, "interim")
}

func TestHeadersOfAnswersAreBounded(t *testing.T) {
	srv := serveRaw(t, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 65<<10)+"\r\nContent-Length: 12\r\n\r\n"+`{"result":1}`)
	_, err := client(t, srv.url()).Do(t.Context(), upstash.Cmd("INCR", "k"))
	require.ErrorContains(t, err, "header is too long")
	require.True(t, failed(t, err).MaybeApplied())
}

func TestRefusalIsReadThoughTheRequestIsNot(t *testing.T) {
	srv := serveRaw(t)
	for _, size := range []int{10, upstash.LongestDirect - 100} {
		_, err := client(t, srv.url()).Do(t.Context(), upstash.Cmd("SET", "k", strings.Repeat("x", size)))
		if failed(t, err).Status != 0 { // or a reset has overtaken it
			require.ErrorIs(t, err, upstash.KindTooLarge)
		}
	}
}

func TestCanceledCallLeavesNoConnection(t *testing.T) {
	arrived := make(chan struct{})
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		hang(w, r)
	}, ok(`{"result":1}`))
	c := client(t, srv.URL)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	_, err := c.Do(ctx, upstash.Cmd("INCR", "k"))
	require.ErrorIs(t, err, context.Canceled)
	require.True(t, failed(t, err).MaybeApplied())
	require.Zero(t, upstash.Idle(c))
	_, err = c.Do(t.Context(), upstash.Cmd("INCR", "k"))
	require.NoError(t, err)
	require.Equal(t, 1, upstash.Idle(c))
}

// However many calls are made at once, each gets its own answer, and at most as many
// connections as calls are kept.
func TestCallsAtOnceGetTheirOwnAnswers(t *testing.T) {
	srv := serve(t, echo)
	c := client(t, srv.URL)
	var all sync.WaitGroup
	errs := make([]error, 100)
	for i := range errs {
		all.Go(func() {
			for turn := range 20 {
				if err := echoes(t.Context(), c, i, turn); err != nil {
					errs[i] = err
					return
				}
			}
		})
	}
	all.Wait()
	for i, err := range errs {
		require.NoError(t, err, fmt.Sprint(i))
	}
	require.LessOrEqual(t, upstash.Idle(c), 64)
}

// NetHTTP is the way out for who distrusts connections of the client's own.
func TestWithNetHTTPTheClientHasNoConnectionsOfItsOwn(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"result":"UE9ORw=="}`) }))
	t.Cleanup(server.Close)
	for _, netHTTP := range []bool{false, true} {
		c, err := upstash.New(upstash.Config{URL: server.URL, Token: "t", NetHTTP: netHTTP})
		require.NoError(t, err)
		reply, err := c.Do(t.Context(), upstash.Cmd("PING"))
		require.NoError(t, err)
		text, err := reply.Text()
		require.NoError(t, err)
		require.Equal(t, "PONG", text)
		require.Equal(t, !netHTTP, upstash.Direct(c))
	}
}
