package upstashtest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
	"github.com/stretchr/testify/require"
)

// endless is a reader that repeats a text without end.
type endless string

func (e endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		n += copy(p[n:], e)
	}
	return n, nil
}

func TestRequestsWithoutEndAreCut(t *testing.T) {
	s := Start(t, Options{Token: "T", Plan: &Plan{RequestBytes: 1 << 10}})
	const auth = " HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer T\r\n"
	for _, hostile := range []struct {
		name, begin string
		rest        endless
		status      int
	}{
		{"a head", "GET /get/k" + auth + "X: ", "x", http.StatusRequestHeaderFieldsTooLarge},
		{"heads", "GET /get/k" + auth, "X: x\r\n", http.StatusRequestHeaderFieldsTooLarge},
		{"a path", "GET /", "a/", http.StatusRequestHeaderFieldsTooLarge},
		{"a query", "GET /get?", "a&", http.StatusRequestHeaderFieldsTooLarge},
		{"a body in chunks", "POST /set/k" + auth + "Transfer-Encoding: chunked\r\n\r\n", "8\r\n12345678\r\n", http.StatusRequestEntityTooLarge},
		{"chunks of nothing but their length", "POST /set/k" + auth + "Transfer-Encoding: chunked\r\n\r\n", "0", http.StatusBadRequest},
		{"a body of any length", "POST /set/k" + auth + "Content-Length: 9000000000000000000\r\n\r\n", "x", http.StatusRequestEntityTooLarge},
	} {
		c := dialRaw(t, strings.TrimPrefix(s.URL(), "http://"))
		sent := make(chan struct{})
		go func() { // until the server has had enough
			defer close(sent)
			_, _ = io.WriteString(c, hostile.begin)
			_, _ = io.Copy(c, hostile.rest)
		}()
		a, err := http.ReadResponse(bufio.NewReader(c), nil)
		require.NoError(t, err, hostile.name)
		require.Equal(t, hostile.status, a.StatusCode, hostile.name)
		require.NoError(t, c.Close())
		<-sent
	}
}

func TestABodyThatDoesNotComeIsNotWaitedFor(t *testing.T) {
	s := Start(t, Options{Token: "T"})
	s.bodyTimeout = time.Millisecond
	c := dialRaw(t, strings.TrimPrefix(s.URL(), "http://"))
	_, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer T\r\nContent-Length: 10\r\n\r\n[")
	require.NoError(t, err)
	r := bufio.NewReader(c)
	a, err := http.ReadResponse(r, nil)
	require.NoError(t, err)
	body, err := io.ReadAll(a.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusRequestTimeout, a.StatusCode)
	require.Equal(t, `{"error":"ERR the request body did not arrive within 1ms"}`, string(body))
	_, err = r.ReadByte()
	require.Error(t, err, "the connection is over")
}

func TestRepliesWithoutEndAreRefused(t *testing.T) {
	for _, hostile := range []struct {
		name, begin string
		rest        endless
	}{
		{"a line", "+", "x"},
		{"an error", "-ERR ", "x"},
		{"a number", ":", "1"},
		{"a length", "$", "1"},
		{"arrays in arrays", "", "*1\r\n"},
		{"a negative count", "*-2\r\n", "x"},
		{"a string that does not end where it says", "$3\r\n", "xxxx"},
	} {
		for _, f := range []format{formatJSON, formatBase64, formatRESP} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			rr := resp.NewReader(bufio.NewReader(io.MultiReader(strings.NewReader(hostile.begin), hostile.rest)))
			out, failed, err := appendReply(rr, nil, f)
			runtime.ReadMemStats(&after)
			require.Error(t, err, "%s: %.100q", hostile.name, fmt.Sprint(string(out), failed))
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20), hostile.name)
		}
	}
	rr := resp.NewReader(bufio.NewReader(bytes.NewReader([]byte("*536870912\r\n:1\r\n"))))
	_, err := rr.Value(0)
	require.ErrorIs(t, err, io.EOF, "a count alone takes no memory")
}
