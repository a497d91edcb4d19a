package host

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// unbounded is what a request had before it was given its time.
type unbounded struct {
	client context.Context // ends when the client goes
	stop   context.Context // ends when the server is told to stop
	taken  *sync.WaitGroup // connections that are taken from the server
}

type unboundedKey struct{}

// Stream frees a request of the time that requests have, for an answer that goes on
// for minutes: the context it returns ends when the client goes, when the server is
// told to stop, or by release, which is to be called. How long each of its writes may
// take is for the handler to say, by [http.ResponseController.SetWriteDeadline].
//
// Where no server of this package runs the request, its own context bounds it.
func Stream(w http.ResponseWriter, r *http.Request) (ctx context.Context, release func()) {
	given, ok := r.Context().Value(unboundedKey{}).(unbounded)
	if !ok {
		return context.WithCancel(r.Context())
	}
	// A server that has no such deadlines needs none moved.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	left, stopped := context.AfterFunc(given.client, cancel), context.AfterFunc(given.stop, cancel)
	return ctx, func() { left(); stopped(); cancel() }
}

// Taken is a connection whose answer outlives its request.
type Taken struct {
	net.Conn
	// Stop ends when the server is told to: then the answer is to end, and Close to
	// be called, for which the server waits as for requests under way.
	Stop context.Context

	release func()
}

// Take takes a request's connection from the server, for an answer that goes on for
// minutes and of which nothing is to wait meanwhile: no goroutine, no buffers. The
// answer, its status line included, is the caller's to write, after the handler has
// returned too. It reports false, and has done nothing, where that cannot be had: over
// HTTP/1.0 and HTTP/2, on Lambda, and from a server that is none of this package's.
func Take(w http.ResponseWriter, r *http.Request) (*Taken, bool) {
	given, ok := r.Context().Value(unboundedKey{}).(unbounded)
	if !ok || r.ProtoMajor != 1 || r.ProtoMinor != 1 || r.ContentLength != 0 {
		return nil, false
	}
	given.taken.Add(1)
	conn, _, err := http.NewResponseController(w).Hijack() // without the deadlines that it had
	if err != nil {
		given.taken.Done()
		return nil, false
	}
	return &Taken{conn, given.stop, sync.OnceFunc(given.taken.Done)}, true
}

// Close implements [net.Conn].
func (t *Taken) Close() error {
	defer t.release()
	return t.Conn.Close()
}

// withTimeout bounds each request, but for those that are freed by [Stream] or [Take].
func withTimeout(stop context.Context, taken *sync.WaitGroup, h http.Handler, timeout time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(context.WithValue(r.Context(), unboundedKey{}, unbounded{r.Context(), stop, taken}), timeout)
		defer cancel()
		h.ServeHTTP(w, r.WithContext(ctx))
	})
}
