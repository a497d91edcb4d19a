package upstash_test

import (
	"context"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/upstash"
)

const testToken = "s3cret-token"

// seen is one request as it arrived.
type seen struct {
	path   string
	header http.Header
	body   string
}

// step answers one request.
type step func(w http.ResponseWriter, r *http.Request)

// bodyKey finds a request's body, already read, in its context.
type bodyKey struct{}

// scripted answers the requests it gets with its steps in order, the last one
// over and over.
type scripted struct {
	*httptest.Server
	conns atomic.Int64

	mu   sync.Mutex
	seen []seen
}

func serve(t testing.TB, steps ...step) *scripted {
	s := &scripted{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		at := min(len(s.seen), len(steps)-1)
		s.seen = append(s.seen, seen{path: r.URL.Path, header: r.Header.Clone(), body: string(body)})
		s.mu.Unlock()
		steps[at](w, r.WithContext(context.WithValue(r.Context(), bodyKey{}, body)))
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.conns.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func (s *scripted) requests() []seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]seen(nil), s.seen...)
}

// fixed gives one answer and keeps no record.
func fixed(t testing.TB, body string) *httptest.Server {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(srv.Close)
	return srv
}

// refusing answers 413 to every request without reading its body.
func refusing(t testing.TB) *httptest.Server {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
	}))
	t.Cleanup(srv.Close)
	return srv
}

// answer sends a body with a status and header fields in pairs.
func answer(status int, body string, header ...string) step {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func ok(body string) step { return answer(http.StatusOK, body) }

// cut closes the connection after the request, without an answer.
func cut(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

// half sends the beginning of an answer and closes the connection.
func half(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "100")
	_, _ = io.WriteString(w, `{"result":`)
	cut(w, nil)
}

// hang answers nothing for as long as the client stays.
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// naps records the waits between attempts instead of waiting.
type naps struct {
	mu   sync.Mutex
	took []time.Duration
}

func (n *naps) sleep(ctx context.Context, d time.Duration) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.took = append(n.took, d)
	return ctx.Err()
}

func (n *naps) milliseconds() (all []int64) {
	for _, nap := range n.took {
		all = append(all, nap.Milliseconds())
	}
	return all
}

// client makes a client that never waits between attempts.
func client(t testing.TB, url string, change ...func(*upstash.Config)) *upstash.Client {
	cfg := upstash.Config{URL: url, Token: testToken, Sleep: new(naps).sleep}
	for _, f := range change {
		f(&cfg)
	}
	c, err := upstash.New(cfg)
	require.NoError(t, err)
	return c
}

// text is a JSON string as the server encodes it.
func text(s string) string {
	return strconv.Quote(base64.StdEncoding.EncodeToString([]byte(s)))
}

func failed(t testing.TB, err error) *upstash.Error {
	t.Helper()
	var e *upstash.Error
	require.ErrorAs(t, err, &e)
	require.NotContains(t, err.Error(), testToken)
	return e
}
