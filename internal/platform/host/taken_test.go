package host_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/platform/host"
)

// A connection that is taken is written to long after its handler has returned, and the
// server ends only when it has.
func TestATakenConnectionOutlivesItsHandlerAndEndsWithTheServer(t *testing.T) {
	ln, _ := listen(t)
	ctx, stop := context.WithCancel(t.Context())
	taken, returned := make(chan *host.HijackedConn, 1), make(chan struct{})
	guarded := host.Guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, ok := host.Take(w, r)
		if ok {
			taken <- c
		} else {
			http.Error(w, "it was not to be had", http.StatusTeapot)
		}
	}), io.Discard)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		guarded.ServeHTTP(w, r)
		close(returned)
	})
	served := make(chan error, 1)
	go func() { served <- host.Serve(ctx, ln, h, time.Millisecond, io.Discard) }()

	conn, err := net.Dial("tcp", ln.Addr().String())
	require.NoError(t, err)
	_, err = fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: test\r\n\r\n")
	require.NoError(t, err)
	c := <-taken
	<-returned
	_, err = io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
	require.NoError(t, err)
	line, err := bufio.NewReader(conn).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "HTTP/1.1 200 OK\r\n", line)
	stop()
	<-c.Stop.Done()
	select {
	case err := <-served:
		require.Fail(t, "the server has ended before its connection", "%v", err)
	default:
	}
	require.NoError(t, c.Close())
	require.NoError(t, <-served)
}

func TestWhereNoConnectionCanBeTakenNothingHasHappened(t *testing.T) {
	ln, _ := listen(t)
	ctx, stop := context.WithCancel(t.Context())
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, ok := host.Take(w, r)
		fmt.Fprint(w, ok)
	})
	served := make(chan error, 1)
	go func() { served <- host.Serve(ctx, ln, h, time.Minute, io.Discard) }()
	for _, request := range []string{
		"GET / HTTP/1.0\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx",
	} {
		conn, err := net.Dial("tcp", ln.Addr().String())
		require.NoError(t, err)
		_, err = io.WriteString(conn, request)
		require.NoError(t, err)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.Equal(t, "false", string(body), request)
		require.NoError(t, res.Body.Close())
		require.NoError(t, conn.Close())
	}
	// Nor of a server that is none of the package's.
	other := httptest.NewServer(h)
	defer other.Close()
	res, err := http.Get(other.URL)
	require.NoError(t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, "false", string(body))
	stop()
	require.NoError(t, <-served)
}
