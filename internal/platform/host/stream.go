package host

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// unbounded is what a request's context was before it got a time limit.
type unbounded struct {
	client context.Context // ends when the client disconnects
	stop   context.Context // ends when the server begins to stop
	taken  *sync.WaitGroup // connections that are taken from the server
}

type unboundedKey struct{}

// Stream frees a request from the time limit of requests, for an answer that lasts minutes.
// The returned context ends when the client disconnects, when the server begins to stop, or
// when release is called; release must be called. The handler has to bound each write by
// [http.ResponseController.SetWriteDeadline].
//
// If no server of this package status the request, its own context bounds it.
func Stream(w http.ResponseWriter, r *http.Request) (ctx context.Context, release func()) {
	given, ok := r.Context().Value(unboundedKey{}).(unbounded)
	if !ok {
		return context.WithCancel(r.Context())
	}
	// A server without read deadlines needs no change.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	left, stopped := context.AfterFunc(given.client, cancel), context.AfterFunc(given.stop, cancel)
	return ctx, func() { left(); stopped(); cancel() }
}

// HijackedConn is a connection whose answer outlives its request.
type HijackedConn struct {
	net.Conn
	// Stop ends when the server begins to stop. The owner then has to end the answer and
	// call Close; the server waits for that as for requests under way.
	Stop context.Context

	release func()
}

// Take takes a request's connection from the server, for an answer that lasts minutes.
// Nothing waits for the connection meanwhile: no goroutine and no buffer. The caller writes
// the whole answer, status line included, and may do so after the handler has returned. Take
// does nothing and returns false if the connection cannot be taken: over HTTP/1.0 and HTTP/2,
// on Lambda, and from another package's server.
func Take(w http.ResponseWriter, r *http.Request) (*HijackedConn, bool) {
	given, ok := r.Context().Value(unboundedKey{}).(unbounded)
	if !ok || r.ProtoMajor != 1 || r.ProtoMinor != 1 || r.ContentLength != 0 {
		return nil, false
	}
	given.taken.Add(1)
	conn, _, err := http.NewResponseController(w).Hijack() // Hijack clears the connection's deadlines
	if err != nil {
		given.taken.Done()
		return nil, false
	}
	return &HijackedConn{conn, given.stop, sync.OnceFunc(given.taken.Done)}, true
}

// Close implements [net.Conn].
func (t *HijackedConn) Close() error {
	defer t.release()
	return t.Conn.Close()
}

// withTimeout bounds each request, except those freed by [Stream] or [Take].
func withTimeout(stop context.Context, taken *sync.WaitGroup, h http.Handler, timeout time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(context.WithValue(r.Context(), unboundedKey{}, unbounded{r.Context(), stop, taken}), timeout)
		defer cancel()
		h.ServeHTTP(w, r.WithContext(ctx))
	})
}
