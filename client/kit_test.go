package client_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/client"
)

var key = strings.Repeat("k", 32)

// waits are how long a client would have waited between attempts.
type waits struct {
	mu  sync.Mutex
	all []time.Duration
}

func (w *waits) wait(ctx context.Context, d time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, d)
	return ctx.Err()
}

// serve starts a product made of one handler and a client of it that does not wait.
func serve(t *testing.T, c client.Config, handler http.HandlerFunc) (*client.Client, *waits) {
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	c.URL = server.URL + c.URL
	lb, err := client.New(c)
	require.NoError(t, err)
	t.Cleanup(lb.Close)
	w := &waits{}
	lb.SetWait(w.wait)
	return lb, w
}

// say answers with a status and a body; problems by their content type.
func say(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	if status >= 300 {
		w.Header().Set("Content-Type", "application/problem+json; charset=utf-8")
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// cut takes the connection away in the middle of an answer.
func cut(w http.ResponseWriter) {
	connection, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		_, _ = io.WriteString(connection, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"half")
		_ = connection.Close()
	}
}

const acceptedScore = `{"mode":"daily_frame","date":"2026-11-21","player":"user_ana","status":"accepted","score":800,"submitted":800,"rank":1,"total":1,"percentile":100,"board":"b"}`
