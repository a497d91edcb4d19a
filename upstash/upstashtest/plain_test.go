package upstashtest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhichRequestsArePlain(t *testing.T) {
	const post = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n"
	for _, try := range []struct {
		name, text string
		size       int // 0 where net/http must serve it
	}{
		{"a command in the body", post + "\r\n[ 1]", len(post) + 6},
		{"of a client that keeps the connection", post + "Connection: keep-alive\r\n\r\n[ 1]", len(post) + 30},
		{"a command in the path", "GET /get/k HTTP/1.1\r\nHost: h\r\n\r\n", 32},
		{"the next request is left", "GET /a HTTP/1.1\r\nHost: h\r\n\r\nGET", 28},
		{"PUT", strings.Replace(post, "POST", "PUT", 1) + "\r\n[ 1]", len(post) + 5},
		{"an unfinished head", "GET /get/k HTTP/1.1\r\nHost: h\r\n", 0},
		{"an unfinished body", post + "\r\n[ 1", 0},
		{"chunks", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 0},
		{"two lengths", post + "Content-Length: 3\r\n\r\n[ 1]", 0},
		{"HEAD", "HEAD /get/k HTTP/1.1\r\nHost: h\r\n\r\n", 0},
		{"an older protocol", "GET /get/k HTTP/1.0\r\nHost: h\r\n\r\n", 0},
		{"a last request", post + "Connection: close\r\n\r\n[ 1]", 0},
		{"a client that waits for a word", post + "Expect: 100-continue\r\n\r\n[ 1]", 0},
		{"another protocol", post + "Connection: upgrade\r\nUpgrade: websocket\r\n\r\n[ 1]", 0},
		{"no host", "GET /get/k HTTP/1.1\r\n\r\n", 0},
		{"a stream", "GET /subscribe/c HTTP/1.1\r\nHost: h\r\n\r\n", 0},
		{"no HTTP", "PING\r\n\r\n", 0},
		{"an empty line", "\r\n\r\n", 0},
	} {
		r, size := plainOf(try.text).next()
		require.Equal(t, try.size, size, try.name)
		require.Equal(t, try.size != 0, r != nil, try.name)
	}
}

// plainOf is a plain loop over a connection on which text has arrived.
func plainOf(text string) *plain {
	p := newPlain(nil)
	p.in.Reset(strings.NewReader(text))
	_, _ = p.in.Peek(1)
	return p
}

func FuzzPlainRequest(f *testing.F) {
	f.Add("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\n[ 1]GET")
	f.Add("GET /get/k?EX=1 HTTP/1.1\r\nHost: h\r\n\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, size := plainOf(text).next()
		if r == nil {
			return
		}
		require.LessOrEqual(t, size, len(text))
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err, "all of the body is there")
		require.Equal(t, text[size-len(body):size], string(body))
		theirs, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
		require.NoError(t, err)
		require.Equal(t, theirs.URL, r.URL)
		require.Equal(t, theirs.Header, r.Header)
	})
}

func TestPlainAnswersAreThoseOfNetHTTP(t *testing.T) {
	s := Start(t, Options{Token: "T", TellCost: true, Plan: &Plan{RequestBytes: 400}})
	reference := httptest.NewServer(s.Handler())
	defer reference.Close()
	const auth = "Host: h\r\nAuthorization: Bearer T\r\n"
	post := func(path, body, more string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\n%s%sContent-Length: %d\r\n\r\n%s", path, auth, more, len(body), body)
	}
	for _, text := range []string{
		post("/", `["SET","k","v"]`, ""),
		post("/", `["GET","k"]`, "Upstash-Encoding: base64\r\n"),
		post("/", `["GET","k"]`, "Upstash-Response-Format: resp2\r\n"),
		post("/", `["GET"`, ""),
		post("/", `["GET","`+strings.Repeat("k", 500)+`"]`, ""),
		post("/pipeline", `[["GET","k"],["NOPE"]]`, ""),
		post("/multi-exec", `[["GET","k"],["NOPE"]]`, ""),
		post("/set/k?EX=9", "bytes", ""),
		"GET /get/k?_token=T HTTP/1.1\r\nHost: h\r\n\r\n",
		"GET /get/k HTTP/1.1\r\nHost: h\r\n\r\n",
		"GET /health HTTP/1.1\r\nHost: h\r\n\r\n",
		"HEAD /get/k HTTP/1.1\r\n" + auth + "\r\n",
		"DELETE /get/k HTTP/1.1\r\n" + auth + "\r\n",
		"GET /get/k HTTP/1.0\r\n" + auth + "\r\n",
		"POST / HTTP/1.1\r\n" + auth + "Transfer-Encoding: chunked\r\n\r\nB\r\n[\"GET\",\"k\"]\r\n0\r\n\r\n",
		"GET /%zz HTTP/1.1\r\n" + auth + "\r\n",
		"nonsense\r\n\r\n",
	} {
		want := rawExchange(t, reference.Listener.Addr().String(), text)
		got := rawExchange(t, strings.TrimPrefix(s.URL(), "http://"), text)
		require.Equal(t, want, got, text)
	}
}

// rawExchange sends text and returns the answer without the parts that change from one
// answer to the next.
func rawExchange(t *testing.T, addr, text string) string {
	t.Helper()
	c := dialRaw(t, addr)
	_, err := io.WriteString(c, text)
	require.NoError(t, err)
	method, _, _ := strings.Cut(text, " ")
	a, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	require.NoError(t, err)
	body, err := io.ReadAll(a.Body)
	require.NoError(t, err)
	if a.StatusCode != http.StatusBadRequest || a.Header.Get("Content-Type") == "application/json" {
		require.NotEmpty(t, a.Header.Get("Date"))
	}
	a.Header.Del("Date")
	a.Header.Del(syncTokenHeader)
	return fmt.Sprintln(a.Proto, a.Status, a.Close, a.Header, string(body))
}

func dialRaw(t *testing.T, addr string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestAConnectionMayChangeBetweenPlainAndNot(t *testing.T) {
	s := Start(t, Options{Token: "T"})
	c := dialRaw(t, strings.TrimPrefix(s.URL(), "http://"))
	const rest = " HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer T\r\n"
	requests := []string{
		"GET /incr/n" + rest + "\r\n",
		"POST /incr/n" + rest + "Content-Length: 0\r\n\r\n",
		"POST /incrby/n" + rest + "Transfer-Encoding: chunked\r\n\r\n2\r\n10\r\n0\r\n\r\n",
		"GET /incr/n" + rest + "\r\n",
	}
	_, err := io.WriteString(c, strings.Join(requests, "")) // without waiting for answers
	require.NoError(t, err)
	r := bufio.NewReader(c)
	for _, want := range []string{"1", "2", "12", "13"} {
		a, err := http.ReadResponse(r, nil)
		require.NoError(t, err)
		body, err := io.ReadAll(a.Body)
		require.NoError(t, err)
		require.Equal(t, `{"result":`+want+`}`, string(body))
	}
}

func TestRefuseAndCloseCutIdleConnections(t *testing.T) {
	s := Start(t, Options{Token: "T"})
	addr := strings.TrimPrefix(s.URL(), "http://")
	cut := func(c net.Conn) {
		_, err := io.ReadAll(c) // ends
		_ = err                 // with a reset or without one
	}
	idle := dialRaw(t, addr)
	used := dialRaw(t, addr)
	_, err := io.WriteString(used, "GET /health HTTP/1.1\r\nHost: h\r\n\r\n")
	require.NoError(t, err)
	_, err = http.ReadResponse(bufio.NewReader(used), nil)
	require.NoError(t, err)
	require.NoError(t, s.Refuse(true))
	cut(idle)
	cut(used)
	require.NoError(t, s.Refuse(false))
	idle = dialRaw(t, addr)
	require.NoError(t, s.Close())
	cut(idle)
}
